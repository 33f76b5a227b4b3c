import { type Static, Type } from 'typebox'
import { Timestamp } from './common.ts'
import { ScopeValues } from './documents.ts'
import { limits } from './limits.ts'

const Bytes = Type.Integer({ minimum: 0 })

/** An uploaded file. */
export const StoredFile = Type.Object({
  file_id: Type.String(),
  filename: Type.String(),
  upload_date: Timestamp,
  size_bytes: Bytes,
  chunk_count: Type.Integer({ minimum: 0 }),
  pages: Type.Union([Type.Integer(), Type.Null()], { description: 'null for files without pages' }),
  scope_values: ScopeValues,
})
export type StoredFile = Static<typeof StoredFile>

export const FileStatus = Type.Object({
  success: Type.Literal(true),
  file_id: Type.String(),
  status: Type.Enum(['queued', 'processing', 'ready', 'failed']),
  filename: Type.String(),
  size_bytes: Bytes,
  chunk_count: Type.Integer({ minimum: 0, description: '0 until the file is ready' }),
  progress: Type.Integer({ minimum: 0, maximum: 100, description: 'in percent' }),
  message: Type.String(),
  error: Type.Union([Type.String(), Type.Null()]),
})
export type FileStatus = Static<typeof FileStatus>

export const FileList = Type.Object({
  success: Type.Literal(true),
  files: Type.Array(StoredFile, { description: 'newest first' }),
  total_files: Type.Integer({ minimum: 0 }),
  total_size_bytes: Bytes,
  uploads: Type.Optional(
    Type.Array(FileStatus, {
      description: 'uploads in progress on the responding server, newest first; left out if there are none',
    }),
  ),
})
export type FileList = Static<typeof FileList>

export const DeletedFile = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  file_id: Type.String(),
  filename: Type.String(),
  chunks_deleted: Type.Integer({ minimum: 0 }),
  size_bytes_freed: Bytes,
})
export type DeletedFile = Static<typeof DeletedFile>

export const FileParams = Type.Object({ chat_id: Type.String(), file_id: Type.String() })

/** A part of a file; search and citations use chunks. */
export const FileChunk = Type.Object({
  chunk_id: Type.String(),
  order: Type.Integer({ minimum: 0, description: 'position in the file, starting at 0' }),
  page: Type.Union([Type.Integer(), Type.Null()], {
    description: 'page on which the chunk begins, starting at 1; null for files without pages',
  }),
  headings: Type.Array(Type.String(), { description: 'headings above the chunk, outermost first' }),
  text: Type.String(),
})
export type FileChunk = Static<typeof FileChunk>

export const FileChunksQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.listMax, default: limits.listDefault })),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'number of chunks to skip' })),
  chunk_id: Type.Optional(
    Type.String({ description: 'instead of offset: return the page that contains this chunk' }),
  ),
})
export type FileChunksQuery = Static<typeof FileChunksQuery>

export const FileChunks = Type.Object({
  file_id: Type.String(),
  filename: Type.String(),
  chunk_count: Type.Integer({ minimum: 0, description: 'number of chunks in the whole file' }),
  offset: Type.Integer({ minimum: 0 }),
  chunks: Type.Array(FileChunk),
})
export type FileChunks = Static<typeof FileChunks>
