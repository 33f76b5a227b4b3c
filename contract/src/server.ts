import { type Static, Type } from 'typebox'
import { Timestamp } from './common.ts'

const Count = Type.Integer({ minimum: 0 })

export const ServerDeath = Type.Object({
  at: Timestamp,
  code: Type.Union([Type.Integer(), Type.Null()], {
    description: 'exit code; null if a signal ended the server',
  }),
  signal: Type.Union([Type.String(), Type.Null()]),
  listened_seconds: Type.Number({ description: 'seconds between listening and the end' }),
})
export type ServerDeath = Static<typeof ServerDeath>

export const ServerRestarts = Type.Object({
  restarts: Type.Integer({ minimum: 0, description: 'restarts since the supervisor started' }),
  last: Type.Union([ServerDeath, Type.Null()], { description: 'how the previous server process ended' }),
})
export type ServerRestarts = Static<typeof ServerRestarts>

export const ServerQueue = Type.Object({
  name: Type.String(),
  running: Count,
  waiting: Count,
  projects: Type.Integer({ minimum: 0, description: 'projects with running or waiting work' }),
  refused: Type.Integer({ minimum: 0, description: 'rejected requests since the server started' }),
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
  supervisor: Type.Union([ServerRestarts, Type.Null()], {
    description: 'null if the server has no supervisor',
  }),
  memory: Type.Object({
    resident_bytes: Count,
    index_bytes: Type.Integer({ minimum: 0, description: 'estimated memory of search indexes' }),
    budget_bytes: Type.Integer({ minimum: 0, description: 'above this value, heavy requests are limited' }),
    heavy_requests: Type.Integer({ minimum: 0, description: 'running heavy requests' }),
    refused: Type.Integer({ minimum: 0, description: 'heavy requests rejected since the server started' }),
  }),
  queues: Type.Array(ServerQueue, { description: 'queues in which projects take turns' }),
  limits: Type.Array(ServerLimit, { description: 'limits that protect projects from each other' }),
})
export type ServerStatus = Static<typeof ServerStatus>
