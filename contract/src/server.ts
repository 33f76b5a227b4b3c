import { type Static, Type } from 'typebox'
import { Timestamp } from './common.ts'

const Count = Type.Integer({ minimum: 0 })

export const ServerDeath = Type.Object({
  at: Timestamp,
  code: Type.Union([Type.Integer(), Type.Null()], { description: 'exit code; null: ended by a signal' }),
  signal: Type.Union([Type.String(), Type.Null()]),
  listened_seconds: Type.Number({ description: 'for how long that server had listened' }),
})
export type ServerDeath = Static<typeof ServerDeath>

export const ServerRestarts = Type.Object({
  restarts: Type.Integer({ minimum: 0, description: 'since the supervisor was started' }),
  last: Type.Union([ServerDeath, Type.Null()], { description: 'the last end of a server that was replaced' }),
})
export type ServerRestarts = Static<typeof ServerRestarts>

export const ServerQueue = Type.Object({
  name: Type.String(),
  running: Count,
  waiting: Count,
  projects: Type.Integer({ minimum: 0, description: 'projects with work that runs or waits' }),
  refused: Type.Integer({ minimum: 0, description: 'since the server was started' }),
})
export type ServerQueue = Static<typeof ServerQueue>

export const ServerLimit = Type.Object({
  setting: Type.String({ description: 'the environment variable' }),
  value: Type.Number(),
  meaning: Type.String(),
})
export type ServerLimit = Static<typeof ServerLimit>

export const ServerStatus = Type.Object({
  version: Type.String(),
  started_at: Timestamp,
  supervisor: Type.Union([ServerRestarts, Type.Null()], { description: 'null: the server runs without one' }),
  memory: Type.Object({
    resident_bytes: Count,
    index_bytes: Type.Integer({ minimum: 0, description: 'of it, about so much for search indexes' }),
    budget_bytes: Type.Integer({ minimum: 0, description: 'past it heavy requests are limited' }),
    heavy_requests: Type.Integer({ minimum: 0, description: 'under way' }),
    refused: Type.Integer({ minimum: 0, description: 'heavy requests refused since the server was started' }),
  }),
  queues: Type.Array(ServerQueue, { description: 'where projects wait for their turn' }),
  limits: Type.Array(ServerLimit, { description: 'limits that keep one project from slowing down others' }),
})
export type ServerStatus = Static<typeof ServerStatus>
