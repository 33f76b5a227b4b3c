import type { Health, Readiness } from '@cairn/contract'
import { type ChatCalls, chatCalls } from './chats.ts'
import { type ConsoleCalls, consoleCalls } from './console.ts'
import { CairnApiError } from './errors.ts'
import { type InternalCalls, internalCalls } from './internal.ts'
import { bindProject, type ProjectClient } from './project.ts'
import { type ProjectCalls, projectCalls } from './projects.ts'
import { type CallOptions, type ClientOptions, fromEnvironment, Transport } from './transport.ts'

export interface Client extends ProjectCalls, ChatCalls, InternalCalls {
  console: ConsoleCalls
  /** The calls of one project, without its id as first argument. Default: `projectId` of the options. */
  project(projectId?: string): ProjectClient
  /** The health of the server. An unhealthy server is a result, not an error. Needs no credential. */
  health(call?: CallOptions): Promise<Health>
  /** Resolves if the server accepts requests; otherwise throws a CairnApiError with status 503. */
  ready(call?: CallOptions): Promise<Readiness>
}

/**
 * A typed client of one server, with one key. The groups of calls need different credentials:
 *
 * - a key of the project: `traces`, `scores`, `scorers`, `judging`, `analytics`, `events`
 * - a key of the chat: `chats`, `scopes`, `documents`, `answers`
 * - the admin token: `console`
 * - the admin token, or a key of the chat with the permission `admin`: `graph`, `internal`
 */
export function createClient(options: ClientOptions = {}): Client {
  // No retries: health and readiness describe the present moment.
  const open = new Transport({ ...options, retry: false }, 'none')

  const calls = projectCalls(options)

  return {
    ...calls,
    ...chatCalls(options),
    ...internalCalls(options),
    console: consoleCalls(options),

    project(projectId = options.projectId ?? fromEnvironment('CAIRN_PROJECT_ID')) {
      if (projectId === undefined) throw new Error('set `projectId` of the client, or CAIRN_PROJECT_ID')
      return bindProject(calls, projectId)
    },

    async health(call) {
      try {
        return await open.json<Health>('GET', '/v1/health', call)
      } catch (error) {
        if (error instanceof CairnApiError && isHealth(error.body)) return error.body
        throw error
      }
    },

    ready: (call) => open.json<Readiness>('GET', '/v1/ready', call),
  }
}

function isHealth(body: unknown): body is Health {
  return typeof body === 'object' && body !== null && 'services' in body
}
