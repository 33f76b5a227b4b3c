import { type Static, Type } from 'typebox'
import { Timestamp } from './common.ts'

const Bytes = Type.Integer({ minimum: 0 })

/** A file that was uploaded. */
export const StoredFile = Type.Object({
  file_id: Type.String(),
  filename: Type.String(),
  upload_date: Timestamp,
  size_bytes: Bytes,
  chunk_count: Type.Integer({ minimum: 0 }),
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
      description:
        'uploads that the server which answers is working on, newest first; left out when there are none',
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
