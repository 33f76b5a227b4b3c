import type { ScopeValues } from '@cairn/contract'
import type { DocumentEmbedding, StoredSegment } from '../../retrieval/index.ts'
import type { UserScopeLimit } from '../../scopes/index.ts'
import type { PackedText } from '../extraction/index.ts'

export interface NewDocument {
  chatId: string
  fileId: string
  filename: string
  /** Of the uploaded bytes; empty for a text that was not uploaded: nothing is a duplicate of it. */
  sha256: string
  sizeBytes: number
  scopeValues: ScopeValues
  /** Of an end user's document with scopes of their own: it is not stored beyond it. */
  scopeLimit?: UserScopeLimit | undefined
  createdMs: number
  content: PackedText
  segment: StoredSegment
  /** The chunks' vectors, where an embedding model is configured. */
  embedding: DocumentEmbedding | undefined
}
