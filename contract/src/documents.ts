import { type Static, Type } from 'typebox'

/** A scope value. A match needs the same type and an equal value. */
export const ScopeValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
export type ScopeValue = Static<typeof ScopeValue>
export const ScopeValues = Type.Record(Type.String(), ScopeValue)
export type ScopeValues = Record<string, ScopeValue>

/** The multipart form of an upload. Only the API reference uses this schema; the server reads the form part by part. */
export const UploadForm = Type.Object({
  file: Type.String({ format: 'binary', description: 'the file; its extension names its type' }),
  scope_values: Type.Optional(
    Type.String({ description: 'a JSON object of scope names and values: string, number or boolean' }),
  ),
})

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
