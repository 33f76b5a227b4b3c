import { CairnError, Health, Readiness } from '@cairn/contract'
import { within } from '../lib/within.ts'
import { anyone } from './access.ts'
import type { App } from './fastify.ts'

export interface HealthOptions {
  version: string
  /** Rejects if the database does not respond. */
  pingDatabase: () => Promise<unknown>
  /** Present if Redis is configured. The server also works without Redis. */
  redisAnswers?: () => Promise<boolean>
  isStopping: () => boolean
  /** Whether a model provider is configured. The provider is not called. */
  hasModels: () => boolean
}

const pingMs = 2_000

async function answers(ping: () => Promise<unknown>): Promise<boolean> {
  const answer = ping().then(
    () => true,
    () => false,
  )
  return (await within(answer, pingMs)) ?? false
}

function stateOf(isHealthy: boolean): 'healthy' | 'unhealthy' {
  return isHealthy ? 'healthy' : 'unhealthy'
}

/** `health` reports whether the server works; `ready` reports whether it accepts requests. Both need no credential. */
export function healthRoutes(
  app: App,
  { version, pingDatabase, redisAnswers, isStopping, hasModels }: HealthOptions,
): void {
  const config = { access: anyone }
  const tags = ['Health']

  app.get(
    '/v1/health',
    {
      config,
      schema: {
        tags,
        operationId: 'getHealth',
        summary: 'Operational check',
        response: { 200: Health, 503: Health },
      },
    },
    async (_request, reply) => {
      const healthy = await answers(pingDatabase)
      const status = stateOf(healthy)
      const services = {
        database: status,
        models: hasModels() ? 'provider' : 'local',
        ...(redisAnswers && { redis: stateOf(await redisAnswers()) }),
      }
      return reply
        .code(healthy ? 200 : 503)
        .send({ status, timestamp: new Date().toISOString(), version, services })
    },
  )

  app.get(
    '/v1/ready',
    {
      config,
      schema: {
        tags,
        operationId: 'getReadiness',
        summary: 'Ready for requests',
        response: { 200: Readiness },
      },
    },
    async () => {
      if (isStopping()) throw new CairnError('overloaded', 'the server is stopping', { retryAfter: 1 })
      if (!(await answers(pingDatabase))) {
        throw new CairnError('overloaded', 'the database does not respond', { retryAfter: 1 })
      }
      return { ready: true }
    },
  )
}
