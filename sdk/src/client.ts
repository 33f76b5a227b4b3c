import type { Health, Readiness } from '@cairn/contract'
import { chatCalls } from './chats.ts'
import { consoleCalls } from './console.ts'
import { CairnApiError } from './errors.ts'
import { internalCalls } from './internal.ts'
import { bindProject, type ProjectClient } from './project.ts'
import { projectCalls } from './projects.ts'
import { type CallOptions, type ClientOptions, fromEnvironment, Transport } from './transport.ts'

/**
 * A typed client of one server, with one key. The groups of calls need different credentials:
 *
 * - a key of the project: `traces`, `scores`, `scorers`, `judging`, `analytics`, `events`
 * - a key of the chat: `chats`, `scopes`, `documents`, `answers`
 * - the admin token: `console`
 * - the admin token, or a key of the chat with the permission `admin`: `graph`, `internal`
 */
export function createClient(options: ClientOptions = {}) {
  // No retries: health and readiness describe the present moment.
  const open = new Transport({ ...options, retry: false }, 'none')

  const calls = projectCalls(options)

  return {
    ...calls,
    ...chatCalls(options),
    ...internalCalls(options),
    console: consoleCalls(options),

    /** The calls of one project, without its id as first argument. Default: `projectId` of the options. */
    project(projectId = options.projectId ?? fromEnvironment('CAIRN_PROJECT_ID')): ProjectClient {
      if (projectId === undefined) throw new Error('set `projectId` of the client, or CAIRN_PROJECT_ID')
      return bindProject(calls, projectId)
    },

    /** The health of the server. An unhealthy server is a result, not an error. Needs no credential. */
    async health(call?: CallOptions): Promise<Health> {
      try {
        return await open.json<Health>('GET', '/v1/health', call)
      } catch (error) {
        if (error instanceof CairnApiError && isHealth(error.body)) return error.body
        throw error
      }
    },

    /** Resolves if the server accepts requests; otherwise throws a CairnApiError with status 503. */
    ready: (call?: CallOptions) => open.json<Readiness>('GET', '/v1/ready', call),
  }
}

export type Client = ReturnType<typeof createClient>

function isHealth(body: unknown): body is Health {
  return typeof body === 'object' && body !== null && 'services' in body
}
