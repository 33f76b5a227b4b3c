import type { FastifyRequest } from 'fastify'
import { clientAddress } from './client-address.ts'
import type { App } from './fastify.ts'

/** A requested console change. */
interface ConsoleChange {
  /** Method and pattern of the route. */
  action: string
  params: Record<string, string>
  /** The parsed body, which may contain secrets; undefined if it could not be read. */
  body: unknown
  remoteAddress: string
}

interface ConsoleOutcome {
  status: number
  /** The response body. */
  answer: unknown
}

/** Stores console changes. The audit domain implements it. */
export interface AuditSink {
  /** Resolves with the id of the entry when the entry is durable. */
  begin(change: ConsoleChange): Promise<string>
  finish(entryId: string, outcome: ConsoleOutcome): Promise<void>
}

function isConsoleChange(request: FastifyRequest): boolean {
  const access = request.routeOptions.config.access
  return access?.credential === 'admin' && !['GET', 'HEAD'].includes(request.method)
}

function withoutFields(body: unknown, names: readonly string[] = []): unknown {
  if (typeof body !== 'object' || body === null || names.length === 0) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, names.includes(name) ? '[removed]' : value]),
  )
}

function changeOf(request: FastifyRequest): ConsoleChange {
  return {
    action: `${request.method} ${request.routeOptions.url}`,
    params: request.params as Record<string, string>,
    body: withoutFields(request.body, request.routeOptions.config.unlogged),
    remoteAddress: clientAddress(request),
  }
}

function parseAnswer(payload: unknown): unknown {
  try {
    return typeof payload === 'string' ? JSON.parse(payload) : undefined
  } catch {
    return undefined
  }
}

/**
 * Records every console change. Register it after authorization: requests that authorization rejects are not audited.
 * The entry is durable before the handler runs, and no handler runs without an entry. The outcome is added before the
 * response is sent. If the server ends in between, the entry has no outcome.
 */
export function registerAudit(app: App, sink: AuditSink): void {
  /** Running console changes with the id of their entry, or undefined until the entry exists. */
  const underWay = new WeakMap<FastifyRequest, string | undefined>()

  app.addHook('onRequest', async (request) => {
    if (isConsoleChange(request)) underWay.set(request, undefined)
  })
  app.addHook('preValidation', async (request) => {
    // Deleted first: if the entry cannot be written, its outcome must not be written either.
    if (underWay.delete(request)) underWay.set(request, await sink.begin(changeOf(request)))
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const written = underWay.get(request)
    if (!underWay.delete(request)) return
    try {
      // A body that cannot be read ends the request before the entry exists.
      const id = written ?? (await sink.begin(changeOf(request)))
      await sink.finish(id, { status: reply.statusCode, answer: parseAnswer(payload) })
    } catch (error) {
      // The change itself has succeeded, so the caller still gets its response.
      const cause = error instanceof Error ? error.message : undefined
      request.log.error({ cause }, 'the outcome of a console change could not be stored')
    }
  })
}
