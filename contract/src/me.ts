import { type Static, Type } from 'typebox'
import { Usage } from './answering.ts'
import { limits } from './limits.ts'

/** What an end user reads about themselves. */
export const Profile = Type.Object({
  success: Type.Literal(true),
  user_id: Type.String(),
  external_user_id: Type.String({ description: 'the subject of the ID token' }),
  chat_id: Type.String({ description: 'the permanent private sub-chat' }),
  app_id: Type.String(),
  issuer: Type.String(),
  subchat_created: Type.Boolean({ description: 'true in the call alone that made the sub-chat' }),
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
    description:
      'a JSON object of scope names and values: those that the parent chat defines as it defines them, others as you like',
  }),
)

/** The form of an upload: `file`, or `text_content` with `content_name`. */
export const OwnUploadForm = Type.Object({
  file: Type.Optional(Type.String({ format: 'binary', description: 'its extension names its type' })),
  text_content: Type.Optional(
    Type.String({ description: 'plain text in the place of a file, whatever content_name is called' }),
  ),
  content_name: Type.Optional(Type.String({ description: 'the name of text_content, required with it' })),
  scope_values: scopeValues,
})

export const OwnBulkForm = Type.Object({
  files: Type.Optional(
    Type.Array(Type.String({ format: 'binary' }), {
      description: `the part repeated, at most ${limits.bulkFiles} times`,
    }),
  ),
  text_contents: Type.Optional(
    Type.String({ description: 'a JSON array of plain texts in the place of files' }),
  ),
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
  file_id: Type.Union([Type.String(), Type.Null()], { description: 'null of one that failed' }),
  size_bytes: Type.Integer({ minimum: 0 }),
  processing_status: Type.Enum(['completed', 'failed']),
  error: Type.Optional(Type.String({ description: 'why it failed' })),
  duplicate: Type.Optional(Type.Literal(true)),
})
export type BulkResult = Static<typeof BulkResult>

export const BulkUploaded = Type.Object({
  success: Type.Boolean({ description: 'whether any of them was uploaded' }),
  total_files: Type.Integer({ minimum: 0 }),
  successful_uploads: Type.Integer({ minimum: 0 }),
  failed_uploads: Type.Integer({ minimum: 0 }),
  total_size_bytes: Type.Integer({ minimum: 0, description: 'of those that were uploaded' }),
  chat_id: Type.String(),
  user_id: Type.String(),
  results: Type.Array(BulkResult, { description: 'in the order of the form' }),
  message: Type.String(),
})
export type BulkUploaded = Static<typeof BulkUploaded>

export const OwnFileParams = Type.Object({ file_id: Type.String() })

/** The form of a question. */
export const OwnQueryForm = Type.Object({
  messages: Type.String({
    description:
      'a JSON array of {role, content}: the last one of the role user is the question, those before it the conversation',
  }),
  response_tokens: Type.Optional(
    Type.String({ description: 'most tokens of the answer, up to what the chat allows' }),
  ),
  stream: Type.Optional(Type.String({ description: 'true for server-sent events; false by default' })),
  scope_filters: Type.Optional(Type.String({ description: 'a JSON object; values have to be equal' })),
})

export const OwnCitation = Type.Object({
  snippet: Type.String({ description: "'' for what the app shares without showing it" }),
  score: Type.Number({ minimum: 0, maximum: 1 }),
  source: Type.String({ description: "the file's name, or 'shared document'" }),
})
export type OwnCitation = Static<typeof OwnCitation>

export const OwnAnswer = Type.Object({
  success: Type.Literal(true),
  answer: Type.String({ description: 'with citations [^N]; N is the index into citations, from 0' }),
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
})
export type OwnAnswer = Static<typeof OwnAnswer>

/** One server-sent event of an answer to an end user; `context` is the list of citations. */
export const OwnAnswerEvent = Type.Union([
  Type.Object({ type: Type.Literal('context'), data: Type.Array(OwnCitation) }),
  Type.Object({ type: Type.Literal('content'), data: Type.String() }),
  Type.Object({ type: Type.Literal('end'), data: Type.Object({ usage: Usage, model: Type.String() }) }),
  Type.Object({ type: Type.Literal('error'), data: Type.String() }),
])
export type OwnAnswerEvent = Static<typeof OwnAnswerEvent>
