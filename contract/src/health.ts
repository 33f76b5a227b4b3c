import { type Static, Type } from 'typebox'
import { Timestamp } from './common.ts'

const State = Type.Enum(['healthy', 'unhealthy'])

export const Health = Type.Object({
  status: State,
  timestamp: Timestamp,
  version: Type.String(),
  services: Type.Object({
    database: State,
    models: Type.String({
      description:
        'local: no provider is configured, answers are extractive; provider: answers come from models',
    }),
    redis: Type.Optional(
      Type.Enum(['healthy', 'unhealthy'], {
        description:
          'present with REDIS_URL; unhealthy: each process counts rate limits for itself, all else works',
      }),
    ),
  }),
})
export type Health = Static<typeof Health>

export const Readiness = Type.Object({ ready: Type.Boolean() })
export type Readiness = Static<typeof Readiness>
