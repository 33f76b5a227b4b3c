import type { Health, Readiness } from '@cairn/contract'
import { chatCalls } from './chats.ts'
import { consoleCalls } from './console.ts'
import { CairnApiError } from './errors.ts'
import { internalCalls } from './internal.ts'
import { projectCalls } from './projects.ts'
import { type CallOptions, type ClientOptions, Transport } from './transport.ts'

/**
 * A typed client of one server, with one key. `traces`, `scores`, `scorers`, `judging`, `analytics` and `events` take a
 * key of the project,
 * `chats`, `scopes`, `documents` and `answers` one of the chat, `console` the admin token, `graph` and `internal` the
 * admin token or a key of the chat with the permission `admin`.
 */
export function createClient(options: ClientOptions) {
  // Asked to learn the state of this moment, so never repeated.
  const open = new Transport({ ...options, retry: false }, 'none')

  return {
    ...projectCalls(options),
    ...chatCalls(options),
    ...internalCalls(options),
    console: consoleCalls(options),

    /** How the server is; an unhealthy one is an answer too, and no error. Needs no credential. */
    async health(call?: CallOptions): Promise<Health> {
      try {
        return await open.json<Health>('GET', '/v1/health', call)
      } catch (error) {
        if (error instanceof CairnApiError && isHealth(error.body)) return error.body
        throw error
      }
    },

    /** Resolves when the server takes requests, else throws a CairnApiError with status 503. */
    ready: (call?: CallOptions) => open.json<Readiness>('GET', '/v1/ready', call),
  }
}

export type Client = ReturnType<typeof createClient>

function isHealth(body: unknown): body is Health {
  return typeof body === 'object' && body !== null && 'services' in body
}
