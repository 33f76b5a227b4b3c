import { type Static, Type } from 'typebox'
import { PageQuery, Timestamp } from './common.ts'

export const AuditEntry = Type.Object({
  entry_id: Type.String(),
  created_at: Timestamp,
  action: Type.String({ description: 'method and route, such as DELETE /v1/console/keys/:key_id' }),
  params: Type.Record(Type.String(), Type.String(), { description: 'the ids in the path' }),
  project_id: Type.Union([Type.String(), Type.Null()], {
    description: 'null if the change belongs to no project',
  }),
  body: Type.Unknown({
    description: 'the request body, shortened and without secrets; null if there was none',
  }),
  remote_address: Type.String(),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'HTTP status of the response; null while the request runs, or if the server stopped first',
  }),
})
export type AuditEntry = Static<typeof AuditEntry>

export const AuditQuery = Type.Object({
  ...PageQuery.properties,
  project_id: Type.Optional(Type.String()),
  action: Type.Optional(Type.String({ description: 'the exact action of an entry' })),
})
export type AuditQuery = Static<typeof AuditQuery>
