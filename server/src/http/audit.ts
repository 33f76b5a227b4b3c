import type { FastifyRequest } from 'fastify'
import { clientAddress } from './client-address.ts'
import type { App } from './fastify.ts'

/** A console change as it was asked for. */
interface ConsoleChange {
  /** Method and pattern of the route. */
  action: string
  params: Record<string, string>
  /** As parsed, so with every secret in it; undefined when it could not be read. */
  body: unknown
  remoteAddress: string
}

interface ConsoleOutcome {
  status: number
  /** The body of the answer. */
  answer: unknown
}

/** Where console changes are written down; the audit domain provides it. */
export interface AuditSink {
  /** Resolves with the entry's id when the entry is durable. */
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
 * Writes down every console change. To be registered behind authorisation: what that refuses is none. The entry
 * is durable before the handler runs, and no handler runs without one; the outcome is added before the answer is
 * sent. An entry whose server ended in between has no outcome.
 */
export function registerAudit(app: App, sink: AuditSink): void {
  /** Console changes under way with the id of their entry, undefined as long as there is none. */
  const underWay = new WeakMap<FastifyRequest, string | undefined>()

  app.addHook('onRequest', async (request) => {
    if (isConsoleChange(request)) underWay.set(request, undefined)
  })
  app.addHook('preValidation', async (request) => {
    // Taken out meanwhile: when the entry cannot be written, its outcome need not be tried.
    if (underWay.delete(request)) underWay.set(request, await sink.begin(changeOf(request)))
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const written = underWay.get(request)
    if (!underWay.delete(request)) return
    try {
      // A body that cannot be read ends the request before there is an entry.
      const id = written ?? (await sink.begin(changeOf(request)))
      await sink.finish(id, { status: reply.statusCode, answer: parseAnswer(payload) })
    } catch (error) {
      // What was changed is changed: the caller gets to hear of that.
      const cause = error instanceof Error ? error.message : undefined
      request.log.error({ cause }, 'the outcome of a console change could not be written down')
    }
  })
}
