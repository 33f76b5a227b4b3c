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
      description: 'local: answers are extractive; provider: answers come from models',
    }),
    redis: Type.Optional(
      Type.Enum(['healthy', 'unhealthy'], {
        description: 'present if REDIS_URL is set; unhealthy: each process counts rate limits by itself',
      }),
    ),
  }),
})
export type Health = Static<typeof Health>

export const Readiness = Type.Object({ ready: Type.Boolean() })
export type Readiness = Static<typeof Readiness>
