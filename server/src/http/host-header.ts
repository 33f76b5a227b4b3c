import type { IncomingMessage } from 'node:http'
import { CairnError } from '@cairn/contract'
import type { App } from './fastify.ts'

/** A name or an address, with or without a port; empty if the client knows no name. */
const hostForm = /^(?:[A-Za-z0-9._~%!$&'()*+;=-]*|\[[A-Za-z0-9:.%_-]+\])(?::\d*)?$/

function hostsOf({ rawHeaders }: IncomingMessage): string[] {
  const hosts: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    // `headers` keeps only the first of several Host headers.
    if (rawHeaders[at]?.toLowerCase() === 'host') hosts.push(rawHeaders[at + 1] ?? '')
  }
  return hosts
}

function problemOf(request: IncomingMessage): string | undefined {
  const [host, ...more] = hostsOf(request)
  if (more.length > 0) return 'the header Host must be given once'
  if (host === undefined) return request.httpVersion === '1.1' ? 'the header Host is missing' : undefined
  return hostForm.test(host) ? undefined : 'the header Host must be a host name or an address, and a port'
}

/**
 * Rejects requests without exactly one valid Host header, because a proxy might have used a different host
 * (RFC 9112, section 3.2). Node itself would only reject a missing Host, and without a response body.
 */
export function registerHostCheck(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    const problem = problemOf(request.raw)
    if (problem === undefined) return
    // A proxy may see different request boundaries on this connection.
    reply.header('connection', 'close')
    throw new CairnError('invalid_request', problem)
  })
}
