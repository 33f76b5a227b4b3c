import type { ScopeValues } from '@cairn/contract'
import type { DocumentEmbedding, StoredSegment } from '../retrieval/index.ts'
import type { PackedText } from './packing.ts'

export interface NewDocument {
  chatId: string
  fileId: string
  filename: string
  /** Of the uploaded bytes; empty for a text that was not uploaded: nothing is a duplicate of it. */
  sha256: string
  sizeBytes: number
  scopeValues: ScopeValues
  createdMs: number
  content: PackedText
  segment: StoredSegment
  /** The chunks' vectors, where an embedding model is configured. */
  embedding: DocumentEmbedding | undefined
}
