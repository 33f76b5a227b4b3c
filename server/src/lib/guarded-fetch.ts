import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { HostLookup } from './host-lookup.ts'
import { type AddressProblem, isPublicAddress, outgoingUrlProblem } from './public-address.ts'

// Importing node:http would load all modules behind its exports, which adds 30 ms to every start.
const { request: requestHttp } = process.getBuiltinModule('node:http')

export type OutgoingReason = AddressProblem | 'unreachable' | 'timeout' | 'redirects'

/** The message is for the person who configured the address. It contains no address that this person did not enter. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError'
  readonly reason: OutgoingReason

  constructor(reason: OutgoingReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

interface GuardedRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** Maximum bytes of the response body; the rest is not read. */
  maxBytes?: number
  /** Time limit for the connection, including name lookup and TLS. */
  connectMs?: number
  /** Time limit for the whole call, including redirects. */
  totalMs?: number
  /** Only GET follows redirects. Each target is checked like the first address. */
  maxRedirects?: number
  signal?: AbortSignal
}

interface GuardedResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** The body was longer than `maxBytes`. */
  truncated: boolean
  /** The final URL after redirects. */
  url: string
}

export type GuardedFetch = (url: string, request?: GuardedRequest) => Promise<GuardedResponse>

/** The addresses that may be reached; tests replace it. */
export interface OutgoingPolicy {
  allowHttp: boolean
  isAllowed: (address: string) => boolean
  resolve: HostLookup
}

export function outgoingPolicy(allowInsecure: boolean, resolve: HostLookup): OutgoingPolicy {
  return {
    allowHttp: allowInsecure,
    isAllowed: allowInsecure ? () => true : isPublicAddress,
    resolve,
  }
}

const defaults = { maxBytes: 64 * 1024, connectMs: 5_000, totalMs: 15_000, maxRedirects: 0 }

function checked(text: string, base: URL | undefined, policy: OutgoingPolicy): URL {
  const problem = outgoingUrlProblem(text, { ...policy, base })
  if (problem) throw new OutgoingError(problem.reason, problem.message)
  return new URL(text, base?.href)
}

/**
 * Resolves a host name once and connects to exactly this address, so a DNS answer that changes between two lookups (DNS
 * rebinding) has no effect.
 */
function guardedLookup(policy: OutgoingPolicy): LookupFunction {
  return (host, options, callback) => {
    policy.resolve(host).then(
      (addresses) => {
        const allowed = addresses.filter(({ address }) => isIP(address) !== 0 && policy.isAllowed(address))
        const [first] = allowed
        if (!first) {
          const message = `${host} has no public address; only public addresses are called`
          callback(new OutgoingError('private', message), '', 0)
        } else if (options.all) callback(null, allowed)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
}

function explain(error: unknown, host: string): OutgoingError {
  if (error instanceof OutgoingError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown failure'
  const unreachable = (message: string) => new OutgoingError('unreachable', message, error)
  if (/^(?:ENOTFOUND|EAI_|ENODATA)/.test(code))
    return unreachable(`the host ${host} was not found; check its name`)
  if (code === 'ECONNREFUSED')
    return unreachable(`${host} refused the connection; check the port, and that it runs`)
  if (/^(?:ECONNRESET|EPIPE)$/.test(code))
    return unreachable(`${host} closed the connection without an answer`)
  if (code === 'ETIMEDOUT') return new OutgoingError('timeout', `${host} could not be reached in time`, error)
  if (/CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL|EPROTO/.test(code)) {
    return unreachable(`no TLS connection to ${host} (${code}); it needs a certificate of a public authority`)
  }
  return unreachable(`no connection to ${host} (${code})`)
}

async function readBody(
  response: IncomingMessage,
  maxBytes: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    // Leaving the loop closes the connection.
    if (size > maxBytes) break
  }
  return { body: Buffer.concat(parts).subarray(0, maxBytes), truncated: size > maxBytes }
}

function send(
  url: URL,
  request: GuardedRequest,
  policy: OutgoingPolicy,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { method = 'GET', headers = {}, body, connectMs = defaults.connectMs } = request
  const isHttps = url.protocol === 'https:'
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const call = (isHttps ? requestHttps : requestHttp)(url, {
      method,
      headers: { ...length, ...headers },
      // A separate connection: no shared pool, and no proxy from the environment.
      agent: false,
      lookup: guardedLookup(policy),
      signal,
    })
    const late = new OutgoingError('timeout', `${url.hostname} could not be reached within ${connectMs} ms`)
    const timer = setTimeout(() => call.destroy(late), connectMs)
    call.once('socket', (socket) => {
      socket.once(isHttps ? 'secureConnect' : 'connect', () => clearTimeout(timer))
    })
    call.once('response', resolve)
    call.once('error', reject)
    call.once('close', () => {
      clearTimeout(timer)
      // Has no effect after a response.
      reject(new OutgoingError('unreachable', `${url.hostname} closed the connection without an answer`))
    })
    call.end(body)
  })
}

function redirectOf(response: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(response.statusCode ?? 0) ? response.headers.location : undefined
}

async function follow(
  first: string,
  request: GuardedRequest,
  policy: OutgoingPolicy,
  signal: AbortSignal,
): Promise<GuardedResponse> {
  const { method = 'GET', maxRedirects = defaults.maxRedirects, maxBytes = defaults.maxBytes } = request
  let url = checked(first, undefined, policy)
  let headers = request.headers ?? {}
  for (let hop = 0; ; hop++) {
    const response = await send(url, { ...request, headers }, policy, signal)
    const target = maxRedirects > 0 && method === 'GET' ? redirectOf(response) : undefined
    if (target === undefined) {
      const read = await readBody(response, maxBytes)
      return { status: response.statusCode ?? 0, headers: response.headers, ...read, url: url.href }
    }
    response.destroy()
    if (hop === maxRedirects) {
      throw new OutgoingError('redirects', `${url.hostname} redirects more than ${maxRedirects} times`)
    }
    const next = checked(target, url, policy)
    // Headers for one host may contain secrets, so they are not sent to another host.
    if (next.origin !== url.origin) headers = {}
    url = next
  }
}

/** A fetch for addresses that a token or a user names. It never calls a private network. Throws OutgoingError. */
export function createGuardedFetch(policy: OutgoingPolicy): GuardedFetch {
  return async (url, request = {}) => {
    const { totalMs = defaults.totalMs } = request
    const limit = AbortSignal.timeout(totalMs)
    const signal = request.signal ? AbortSignal.any([limit, request.signal]) : limit
    try {
      return await follow(url, request, policy, signal)
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason
      const host = URL.canParse(url) ? new URL(url).hostname : 'the host'
      if (limit.aborted) {
        throw new OutgoingError('timeout', `no complete answer from ${host} within ${totalMs} ms`, error)
      }
      throw explain(error, host)
    }
  }
}
