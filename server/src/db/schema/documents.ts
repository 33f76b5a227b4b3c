interface DocumentColumns {
  chat_id: string
  file_id: string
  filename: string
  /** Hash of the uploaded bytes; empty if the text was not uploaded or has changed since. */
  sha256: string
  size_bytes: number
  chunk_count: number
  /** Null for files without pages. */
  pages: number | null
  scope_values: string
  created_at: number
  /** Properties that callers added to the node, as JSON. */
  properties: string
}

interface ChunkColumns {
  chat_id: string
  chunk_id: string
  file_id: string
  chunk_order: number
  /** UTF-16 offsets in the document's text. */
  start_offset: number
  end_offset: number
  page: number | null
  heading_path: string
  text: string
  /** Properties that callers added to the node, as JSON. */
  properties: string
}

/** Documents with their chunks, search data, and the graph. */
export interface DocumentTables {
  /** A view: the completely stored documents. Writes use `document_rows`. */
  documents: DocumentColumns
  document_rows: DocumentColumns & {
    state: 'writing' | 'stored' | 'going'
    /** End of the lease of the process that writes or deletes the document; null for a stored document. */
    lease_until: number | null
  }
  document_text_parts: { chat_id: string; file_id: string; part: number; text: string }
  /** A view: the chunks of `documents`. Writes use `chunk_rows`. */
  chunks: ChunkColumns
  chunk_rows: ChunkColumns
  /** The data of a document in the chat's search index; see `domains/retrieval`. */
  document_segments: {
    chat_id: string
    file_id: string
    /** The chat's `index_version` at the last change of the document. */
    version: number
    format: number
    segment: Uint8Array | null
    /** In order, separated by spaces. */
    chunk_ids: string
  }
  vector_spaces: {
    chat_id: string
    space_id: string
    kind: 'lsa' | 'embedding'
    model: string
    dimensions: number
    fit: Uint8Array | null
    chunk_count: number
    active: number
    created_at: number
  }
  document_vectors: {
    chat_id: string
    space_id: string
    file_id: string
    version: number
    vectors: Uint8Array
  }
  relationships: {
    chat_id: string
    relationship_id: string
    source_id: string
    target_id: string
    type: string
    properties: string
    /** The document for which background work made the relationship; null if a caller made it. */
    file_id: string | null
  }
  /** Properties that callers set on derived relationships: HAS_CHUNK to the chunk, NEXT from the chunk. JSON. */
  link_properties: { chat_id: string; chunk_id: string; type: 'HAS_CHUNK' | 'NEXT'; properties: string }
}
