import type { ScopeValues } from '@cairn/contract'
import type { DocumentEmbedding, StoredSegment } from '../../retrieval/index.ts'
import type { UserScopeLimit } from '../../scopes/index.ts'
import type { PackedText } from '../extraction/index.ts'

export interface NewDocument {
  chatId: string
  fileId: string
  filename: string
  /** Hash of the uploaded bytes. Empty for a text without a file, so that no upload is a duplicate of it. */
  sha256: string
  sizeBytes: number
  scopeValues: ScopeValues
  /** Limit of scopes in the end user's private chat. A document that would exceed it is not stored. */
  scopeLimit?: UserScopeLimit | undefined
  createdMs: number
  content: PackedText
  segment: StoredSegment
  /** Vectors of the chunks, if an embedding model is configured. */
  embedding: DocumentEmbedding | undefined
}
