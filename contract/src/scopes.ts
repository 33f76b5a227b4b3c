import { type Static, Type } from 'typebox'
import { absent, body } from './common.ts'
import { limits } from './limits.ts'

export const scopeTypes = ['string', 'number', 'boolean'] as const
export type ScopeType = (typeof scopeTypes)[number]

/** Scopes cannot have these names, because documents and chunks have fields with these names. */
export const reservedScopeNames = ['id', 'text', 'chat_id', 'file_id', 'filename'] as const

export const ScopeDefinition = Type.Object({
  name: Type.String(),
  type: Type.Enum(scopeTypes),
  required: Type.Boolean({ description: 'whether each upload must carry a value' }),
  description: Type.Optional(Type.String()),
})
export type ScopeDefinition = Static<typeof ScopeDefinition>

export const NewScope = body({
  name: Type.String({
    description: `a letter, then letters, digits, underscores or hyphens; at most ${limits.scopeNameLength} characters; unique in the list; none of ${reservedScopeNames.join(', ')}`,
  }),
  type: absent(Type.Enum(scopeTypes, { description: 'default string' })),
  required: absent(Type.Boolean({ description: 'default false' })),
  description: absent(Type.String({ maxLength: limits.descriptionLength })),
})

export const ConfigureScopes = body({
  scopes: Type.Array(NewScope, {
    description: `all scopes of the chat, at most ${limits.scopesPerChat}; an empty list deletes the configuration`,
  }),
})
export type ConfigureScopes = Static<typeof ConfigureScopes>

export const ChatScopes = Type.Object({
  chat_id: Type.String(),
  scopes: Type.Array(ScopeDefinition, { description: 'empty if not configured: any valid name is accepted' }),
})
export type ChatScopes = Static<typeof ChatScopes>

export const ConfiguredScopes = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  ...ChatScopes.properties,
})
export type ConfiguredScopes = Static<typeof ConfiguredScopes>

export const ClearedScopes = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  chat_id: Type.String(),
})
export type ClearedScopes = Static<typeof ClearedScopes>
