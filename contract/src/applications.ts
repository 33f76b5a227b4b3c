import { type Static, Type } from 'typebox'
import { absent, body, Name, Timestamp } from './common.ts'

/** As an issuer or audience: accept the value that the token names. */
export const dynamic = 'DYNAMIC'

/** Signature algorithms of ID tokens. All are asymmetric. */
export const tokenAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const
export type TokenAlgorithm = (typeof tokenAlgorithms)[number]
export const TokenAlgorithm = Type.Enum(tokenAlgorithms)

export const defaultTokenAlgorithms: readonly TokenAlgorithm[] = ['RS256', 'ES256']

const Issuer = Type.String({ description: 'URL of the identity provider, or DYNAMIC' })
const Audiences = Type.Array(Type.String(), { description: 'accepted audiences of tokens, or DYNAMIC' })
const NullableUrl = Type.Union([Type.String(), Type.Null()])

/** The form of a registration; lists are sent as JSON text. */
export const RegisterAppForm = Type.Object({
  app_name: Type.String({ minLength: 1, maxLength: 200 }),
  issuer: Type.String({
    description: 'URL of the identity provider; DYNAMIC takes the issuer from each token',
  }),
  allowed_audiences: Type.String({ description: 'a JSON array of audiences; DYNAMIC is allowed' }),
  alg_allowlist: Type.Optional(
    Type.String({ description: 'a JSON array of algorithms; default ["RS256","ES256"]' }),
  ),
  jwks_uri: Type.Optional(
    Type.String({ description: 'address of the key set; by default the issuer is asked for it' }),
  ),
  chat_id: Type.Optional(
    Type.String({
      description: 'the parent chat, whose published files users may query; created by default',
    }),
  ),
  project_id: Type.Optional(Type.String({ description: 'project in which the parent chat is created' })),
})

export const RegisteredApp = Type.Object({
  success: Type.Literal(true),
  app_id: Type.String(),
  app_name: Type.String(),
  issuer: Issuer,
  allowed_audiences: Audiences,
  alg_allowlist: Type.Array(TokenAlgorithm),
  jwks_uri: NullableUrl,
  chat_id: Type.String({ description: 'the parent chat' }),
  project_id: Type.String(),
  usage_instructions: Type.Object({
    client_flow: Type.String(),
    headers_required: Type.Object({ Authorization: Type.String(), 'X-App-ID': Type.String() }),
  }),
  warning: Type.Optional(Type.String()),
  message: Type.String(),
})
export type RegisteredApp = Static<typeof RegisteredApp>

export const Application = Type.Object({
  app_id: Type.String(),
  app_name: Type.String(),
  project_id: Type.String(),
  chat_id: Type.String({ description: 'the parent chat' }),
  issuer: Issuer,
  allowed_issuers: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'for the issuer DYNAMIC: the accepted issuers; null accepts any issuer',
  }),
  allowed_audiences: Audiences,
  alg_allowlist: Type.Array(TokenAlgorithm),
  jwks_uri: NullableUrl,
  api_access_enabled: Type.Boolean(),
  created_at: Timestamp,
})
export type Application = Static<typeof Application>

/** Counts only, because the contents belong to the users. */
export const ApplicationDetail = Type.Object({
  ...Application.properties,
  users: Type.Integer({ minimum: 0 }),
  files: Type.Integer({ minimum: 0 }),
  total_size_bytes: Type.Integer({ minimum: 0 }),
})
export type ApplicationDetail = Static<typeof ApplicationDetail>

const Text = Type.String({ minLength: 1, maxLength: 2000 })

export const UpdateApplication = body({
  app_name: absent(Name),
  api_access_enabled: absent(Type.Boolean()),
  allowed_audiences: absent(Type.Array(Text, { minItems: 1, maxItems: 100 })),
  allowed_issuers: absent(
    Type.Array(Text, { maxItems: 100, description: 'an empty list accepts any issuer' }),
  ),
  alg_allowlist: absent(Type.Array(Type.String(), { minItems: 1, maxItems: 20 })),
  jwks_uri: absent(
    Type.String({ maxLength: 2000, description: 'an empty text means: ask the issuer for the address' }),
  ),
})
export type UpdateApplication = Static<typeof UpdateApplication>

export const ApplicationUser = Type.Object({
  user_id: Type.String(),
  chat_id: Type.String({ description: 'the private sub-chat; only the user can read it' }),
  files: Type.Integer({ minimum: 0 }),
  total_size_bytes: Type.Integer({ minimum: 0 }),
  created_at: Timestamp,
})
export type ApplicationUser = Static<typeof ApplicationUser>

export const AppParams = Type.Object({ app_id: Type.String() })
export const AppUserParams = Type.Object({ app_id: Type.String(), user_id: Type.String() })
