import { type Static, Type } from 'typebox'
import { QueryRequest } from './answering.ts'
import { absent, body } from './common.ts'
import { ScopeValues } from './documents.ts'
import { limits } from './limits.ts'

const Count = Type.Integer({ minimum: 0 })
const ChatId = Type.String({ minLength: 1, description: 'id of the chat' })

export const CreateNodes = body({
  pdf_text: Type.String({ minLength: 1, maxLength: limits.textLength, pattern: '\\S' }),
  pdf_id: Type.String({
    description: `id of the new document: 1 to ${limits.documentIdLength} letters, digits, ".", "_", "-"; unique on the server`,
  }),
  chat_id: ChatId,
  filename: Type.String({ minLength: 1, pattern: '\\S', description: 'name of the document' }),
  scope_values: absent(ScopeValues),
})
export type CreateNodes = Static<typeof CreateNodes>

export const CreatedNodes = Type.Object({
  status: Type.Literal('success'),
  message: Type.String(),
  file_id: Type.String({ description: 'the pdf_id' }),
  chunk_count: Count,
  duplicate_skipped: Type.Boolean({ description: 'true if the chat already had this text under this id' }),
})
export type CreatedNodes = Static<typeof CreatedNodes>

/** A question with the chat id in the body; the answer uses the draft settings. */
export const InternalQuery = body({ chat_id: ChatId, ...QueryRequest.properties })
export type InternalQuery = Static<typeof InternalQuery>

/** The multipart form of a text extraction. Only the API reference uses this schema; the server reads it part by part. */
export const ExtractForm = Type.Object({
  file: Type.String({ format: 'binary', description: 'a file of any type that can be uploaded' }),
})

export const ExtractedText = Type.Object({
  text: Type.String({ description: 'contains no control characters except tabs and line breaks' }),
  file_hash: Type.String({ description: 'SHA-256 of the bytes, hexadecimal' }),
  size_bytes: Count,
  filename: Type.String(),
  uploaded_at: Type.Integer({ description: 'Unix time, milliseconds' }),
  extracted_text_length: Type.Integer({ minimum: 0, description: 'length of text in UTF-16 code units' }),
})
export type ExtractedText = Static<typeof ExtractedText>

export const RemovedContext = Type.Object({
  status: Type.Literal('success'),
  message: Type.String(),
  nodes_deleted: Count,
})
export type RemovedContext = Static<typeof RemovedContext>

export const DeletedNodes = Type.Object({
  ...RemovedContext.properties,
  relationships_deleted: Count,
})
export type DeletedNodes = Static<typeof DeletedNodes>

export const CleanUpQuery = Type.Object({
  convex_id: Type.Optional(Type.String({ description: 'another chat id' })),
  child_chat_ids: Type.Optional(Type.String({ description: 'more chat ids, comma-separated' })),
})
export type CleanUpQuery = Static<typeof CleanUpQuery>

export const CleanedUp = Type.Object({
  ...DeletedNodes.properties,
  debug_info: Type.Object({
    parent_chat_id: Type.String(),
    child_chat_ids: Type.Array(Type.String(), { description: 'the child chats that existed' }),
    total_chat_ids_processed: Count,
    documents_found_before_deletion: Count,
  }),
})
export type CleanedUp = Static<typeof CleanedUp>

export const ChatContents = Type.Object({
  chat_id: Type.String(),
  search_prefix: Type.String(),
  documents_found: Count,
  total_chunks: Count,
  documents: Type.Array(
    Type.Object({
      chatId: Type.String(),
      docId: Type.String(),
      filename: Type.String(),
      chunk_count: Count,
    }),
    { description: 'oldest first' },
  ),
})
export type ChatContents = Static<typeof ChatContents>

export const RemovedFileParams = Type.Object({ file_id: Type.String() })
