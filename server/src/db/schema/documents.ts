interface DocumentColumns {
  chat_id: string
  file_id: string
  filename: string
  /** Of the uploaded bytes; empty when the text was not uploaded, or was changed since. */
  sha256: string
  size_bytes: number
  chunk_count: number
  /** Null for files without pages. */
  pages: number | null
  scope_values: string
  created_at: number
  /** What people added to the node, JSON. */
  properties: string
}

interface ChunkColumns {
  chat_id: string
  chunk_id: string
  file_id: string
  chunk_order: number
  /** UTF-16 offsets into the document's text. */
  start_offset: number
  end_offset: number
  page: number | null
  heading_path: string
  text: string
  /** What people added to the node, JSON. */
  properties: string
}

/** Documents with their chunks, what is searched, and the graph. */
export interface DocumentTables {
  /** A view: the documents that are stored as a whole. What writes names `document_rows`. */
  documents: DocumentColumns
  document_rows: DocumentColumns & {
    state: 'writing' | 'stored' | 'going'
    /** Until when whoever writes or deletes it is believed to be at it; null of one that is stored. */
    lease_until: number | null
  }
  document_text_parts: { chat_id: string; file_id: string; part: number; text: string }
  /** A view: the chunks of `documents`. What writes names `chunk_rows`. */
  chunks: ChunkColumns
  chunk_rows: ChunkColumns
  /** What the chat's index holds of a document; see `domains/retrieval`. */
  document_segments: {
    chat_id: string
    file_id: string
    /** The chat's `index_version` when the document was last changed. */
    version: number
    format: number
    segment: Uint8Array | null
    /** In order, a space between them. */
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
    /** The document that background work made it from; null of those that it did not make. */
    file_id: string | null
  }
  /** What people set on relationships that follow from chunks: on HAS_CHUNK to the chunk, on NEXT from it. JSON. */
  link_properties: { chat_id: string; chunk_id: string; type: 'HAS_CHUNK' | 'NEXT'; properties: string }
}
