import { type Static, Type } from 'typebox'
import { AnswerEnd, AnswerId } from './answering.ts'
import { AnswerErrorEvent } from './common.ts'
import { limits } from './limits.ts'

/** The profile that an end user reads. */
export const Profile = Type.Object({
  success: Type.Literal(true),
  user_id: Type.String(),
  external_user_id: Type.String({ description: 'the subject of the ID token' }),
  chat_id: Type.String({ description: 'the permanent private sub-chat' }),
  app_id: Type.String(),
  issuer: Type.String(),
  subchat_created: Type.Boolean({ description: 'true only in the response that created the sub-chat' }),
  privacy_info: Type.Object({
    oauth_provider: Type.String(),
    permanent_subchat: Type.Literal(true),
    data_isolation: Type.String(),
    developer_access: Type.String(),
  }),
})
export type Profile = Static<typeof Profile>

const scopeValues = Type.Optional(
  Type.String({
    description: 'a JSON object of scope names and values',
  }),
)

/** The form of an upload: `file`, or `text_content` with `content_name`. */
export const UserUploadForm = Type.Object({
  file: Type.Optional(Type.String({ format: 'binary', description: 'its extension names its type' })),
  text_content: Type.Optional(
    Type.String({ description: 'plain text instead of a file, whatever the extension of content_name' }),
  ),
  content_name: Type.Optional(Type.String({ description: 'name of text_content; required with it' })),
  scope_values: scopeValues,
})

export const UserBulkForm = Type.Object({
  files: Type.Optional(
    Type.Array(Type.String({ format: 'binary' }), {
      description: `repeat this part for each file, at most ${limits.bulkFiles} times`,
    }),
  ),
  text_contents: Type.Optional(Type.String({ description: 'a JSON array of plain texts, instead of files' })),
  content_names: Type.Optional(Type.String({ description: 'a JSON array with a name for each text' })),
  scope_values: scopeValues,
})

export const OwnUploadedFile = Type.Object({
  success: Type.Literal(true),
  filename: Type.String(),
  file_id: Type.String(),
  chat_id: Type.String(),
  user_id: Type.String(),
  size_bytes: Type.Integer({ minimum: 0 }),
  processing_status: Type.Literal('completed'),
  privacy_guarantee: Type.Object({
    permanent_storage: Type.Literal(true),
    user_private_subchat: Type.Literal(true),
    developer_cannot_access: Type.Literal(true),
    oauth_validated: Type.Literal(true),
  }),
  duplicate: Type.Optional(Type.Literal(true)),
  message: Type.String(),
})
export type OwnUploadedFile = Static<typeof OwnUploadedFile>

export const BulkResult = Type.Object({
  filename: Type.String(),
  success: Type.Boolean(),
  file_id: Type.Union([Type.String(), Type.Null()], { description: 'null if the upload failed' }),
  size_bytes: Type.Integer({ minimum: 0 }),
  processing_status: Type.Enum(['completed', 'failed']),
  error: Type.Optional(Type.String({ description: 'why the upload failed' })),
  duplicate: Type.Optional(Type.Literal(true)),
})
export type BulkResult = Static<typeof BulkResult>

export const BulkUploaded = Type.Object({
  success: Type.Boolean({ description: 'true if at least one file was uploaded' }),
  total_files: Type.Integer({ minimum: 0 }),
  successful_uploads: Type.Integer({ minimum: 0 }),
  failed_uploads: Type.Integer({ minimum: 0 }),
  total_size_bytes: Type.Integer({ minimum: 0, description: 'size of the uploaded files' }),
  chat_id: Type.String(),
  user_id: Type.String(),
  results: Type.Array(BulkResult, { description: 'in the order of the parts in the form' }),
  message: Type.String(),
})
export type BulkUploaded = Static<typeof BulkUploaded>

export const UserFileParams = Type.Object({ file_id: Type.String() })

/** The form of a question. */
export const UserQueryForm = Type.Object({
  messages: Type.String({
    description: 'a JSON array of {role, content}: the last user message is the question',
  }),
  response_tokens: Type.Optional(
    Type.String({ description: 'maximum tokens of the answer, up to the limit of the chat' }),
  ),
  stream: Type.Optional(Type.String({ description: 'true for server-sent events; default false' })),
  scope_filters: Type.Optional(Type.String({ description: 'a JSON object of scope names and exact values' })),
})

export const OwnCitation = Type.Object({
  snippet: Type.String({ description: 'empty for files that the application shares without showing them' }),
  score: Type.Number({ minimum: 0, maximum: 1 }),
  source: Type.String({ description: "the file's name, or 'shared document'" }),
})
export type OwnCitation = Static<typeof OwnCitation>

export const OwnAnswer = Type.Object({
  success: Type.Literal(true),
  answer: Type.String({ description: 'with citations [^N]; N is an index into citations, starting at 0' }),
  chat_id: Type.String(),
  user_id: Type.String(),
  citations: Type.Array(OwnCitation),
  privacy_guarantee: Type.Object({
    user_controlled: Type.Literal(true),
    permanent_subchat: Type.Literal(true),
    developer_cannot_see_raw_files: Type.Literal(true),
    oauth_validated: Type.Literal(true),
  }),
  v1_auth: Type.Object({ app_id: Type.String(), external_user_id: Type.String(), issuer: Type.String() }),
  answer_id: AnswerId,
})
export type OwnAnswer = Static<typeof OwnAnswer>

/** One server-sent event of an answer to an end user; `context` is the list of citations. */
export const OwnAnswerEvent = Type.Union([
  Type.Object({ type: Type.Literal('context'), data: Type.Array(OwnCitation) }),
  Type.Object({ type: Type.Literal('content'), data: Type.String() }),
  Type.Object({ type: Type.Literal('end'), data: AnswerEnd }),
  AnswerErrorEvent,
])
export type OwnAnswerEvent = Static<typeof OwnAnswerEvent>
