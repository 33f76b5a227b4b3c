import type { FastifyRequest } from 'fastify'
import { clientNetwork, parseIpAddress } from '../lib/ip-address.ts'

/** The client address of a closed connection, whose real address is no longer known. */
const unspecified = '0.0.0.0'

/**
 * The address of the client: the farthest address that trusted proxies report. An invalid entry in `X-Forwarded-For`
 * ends the chain before this entry, so the result is always an address.
 */
export function clientAddress(request: FastifyRequest): string {
  // Nearest first. Without trusted proxies, Fastify returns only the address of the socket.
  const chain = (request.ips ?? [request.ip]).map((text: string | undefined) => parseIpAddress(text))
  const end = chain.indexOf(undefined)
  return chain.slice(0, end === -1 ? chain.length : end).at(-1) ?? unspecified
}

/** The subject of rate limits by address. For IPv6 it is the network, because one client may own all its addresses. */
export function clientSubject(request: FastifyRequest): string {
  return clientNetwork(clientAddress(request))
}
