import { type Static, Type } from 'typebox'
import { PageQuery, Timestamp } from './common.ts'

export const AuditEntry = Type.Object({
  entry_id: Type.String(),
  created_at: Timestamp,
  action: Type.String({ description: 'method and route, such as DELETE /v1/console/keys/:key_id' }),
  params: Type.Record(Type.String(), Type.String(), { description: 'the ids in the path' }),
  project_id: Type.Union([Type.String(), Type.Null()], {
    description: 'null when the change is of no project',
  }),
  body: Type.Unknown({ description: 'the request body, shortened, without secrets; null when it had none' }),
  remote_address: Type.String(),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'HTTP status of the answer; null while it is under way, or when the server ended in between',
  }),
})
export type AuditEntry = Static<typeof AuditEntry>

export const AuditQuery = Type.Object({
  ...PageQuery.properties,
  project_id: Type.Optional(Type.String()),
  action: Type.Optional(Type.String({ description: 'exactly as entries show it' })),
})
export type AuditQuery = Static<typeof AuditQuery>
