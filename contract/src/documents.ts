import { type Static, Type } from 'typebox'

/** A scope value; compared by type and exactly. */
export const ScopeValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
export type ScopeValue = Static<typeof ScopeValue>
export const ScopeValues = Type.Record(Type.String(), ScopeValue)
export type ScopeValues = Record<string, ScopeValue>

/** File extensions that can be uploaded today, lower case. */
export const supportedExtensions = ['pdf', 'txt', 'md'] as const
export type SupportedExtension = (typeof supportedExtensions)[number]

export const UploadedFile = Type.Object({
  success: Type.Literal(true),
  filename: Type.String(),
  file_id: Type.String(),
  chat_id: Type.String(),
  scope_values: ScopeValues,
  size_bytes: Type.Integer(),
  chunk_count: Type.Integer(),
  processing_status: Type.Literal('completed'),
  duplicate: Type.Optional(Type.Literal(true)),
  message: Type.String(),
})
export type UploadedFile = Static<typeof UploadedFile>
