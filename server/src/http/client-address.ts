import type { FastifyRequest } from 'fastify'
import { clientNetwork, parseIpAddress } from '../lib/ip-address.ts'

/** Stands for the client of a connection that is closed already, so that its address cannot be asked for any more. */
const unspecified = '0.0.0.0'

/**
 * Where a request comes from: the farthest address that trusted proxies vouch for. Anything but an address in
 * `X-Forwarded-For` ends the chain before it, so the result is always an address.
 */
export function clientAddress(request: FastifyRequest): string {
  // Nearest first; Fastify knows of others than the socket's own only where proxies are trusted.
  const chain = (request.ips ?? [request.ip]).map((text: string | undefined) => parseIpAddress(text))
  const end = chain.indexOf(undefined)
  return chain.slice(0, end === -1 ? chain.length : end).at(-1) ?? unspecified
}

/** The subject of limits by address: one client may have all addresses of an IPv6 network. */
export function clientSubject(request: FastifyRequest): string {
  return clientNetwork(clientAddress(request))
}
