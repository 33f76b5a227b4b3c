import { type Static, Type } from 'typebox'
import { absent, body, Name, Timestamp } from './common.ts'

/** Permissions of an API key. The API reference lists which route needs which permission. */
export const permissions = ['ingest', 'read', 'write', 'query', 'admin'] as const
export type Permission = (typeof permissions)[number]
export const Permission = Type.Enum(permissions)

/** Permissions of a key that is created without a `permissions` field. */
export const defaultPermissions: readonly Permission[] = ['ingest', 'read', 'write', 'query']

export const CreateProject = body({ name: Name })
export type CreateProject = Static<typeof CreateProject>

export const UpdateProject = body({
  name: absent(Name),
  retention_days: absent(
    Type.Integer({
      minimum: 0,
      maximum: 36_500,
      description: 'days that traces are kept; 0 keeps them forever',
    }),
  ),
})
export type UpdateProject = Static<typeof UpdateProject>

export const Project = Type.Object({
  project_id: Type.String(),
  name: Type.String(),
  created_at: Timestamp,
  retention_days: Type.Integer({ description: 'days that traces are kept; 0 keeps them forever' }),
})
export type Project = Static<typeof Project>

export const CreateKey = body({
  name: absent(Name),
  permissions: absent(Type.Array(Permission, { minItems: 1 })),
})
export type CreateKey = Static<typeof CreateKey>

export const Key = Type.Object({
  key_id: Type.String(),
  name: Type.String(),
  permissions: Type.Array(Permission),
  last4: Type.String({ description: 'the last four characters of the key' }),
  created_at: Timestamp,
})
export type Key = Static<typeof Key>

export const CreatedKey = Type.Object({
  ...Key.properties,
  api_key: Type.String({ description: 'the key itself; the server shows it only in this response' }),
})
export type CreatedKey = Static<typeof CreatedKey>

export const Deleted = Type.Object({ success: Type.Boolean(), message: Type.String() })
export type Deleted = Static<typeof Deleted>

export const SignIn = Type.Object({
  signed_in: Type.Boolean(),
  expires_at: Type.Union([Timestamp, Type.Null()], { description: 'null if not signed in' }),
})
export type SignIn = Static<typeof SignIn>
