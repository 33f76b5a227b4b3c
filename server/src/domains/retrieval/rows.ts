import { tokenize } from '../../lib/text.ts'
import { Postings } from './postings.ts'

/** A chunk as the index wants it; `order` is its place in the document. */
export interface IndexChunk {
  chunkId: string
  order: number
  text: string
  headingPath: readonly string[]
}

/** A document as the index wants it, its chunks in order. */
export interface IndexDocument {
  fileId: string
  filename: string
  scopeValues: Readonly<Record<string, string | number | boolean>>
  chunks: readonly IndexChunk[]
}

/** A chunk in the index: its row number is its place in `IndexRows.chunks`. */
export interface ChunkRow {
  chunkId: string
  order: number
  document: DocumentRow
  bodyLength: number
  headingLength: number
}

/** A document in the index: its chunks are rows `from` to `to` (exclusive). Lengths are in terms. */
export interface DocumentRow {
  fileId: string
  scopeValues: IndexDocument['scopeValues']
  number: number
  from: number
  to: number
  bodyLength: number
  nameLength: number
}

/** What the voices read for every posting, as typed arrays by row. Lengths are in terms. */
export interface RowColumns {
  documentOf: Uint32Array
  bodyLength: Float32Array
  headingLength: Float32Array
}

const rowOverheadBytes = 160

/**
 * The data under the voices: chunks as rows in the order they were added, and what terms they hold. A posting's
 * payload packs how often the term is in the chunk's text (16 bits), its heading path (8) and the file name (8).
 */
export class IndexRows {
  readonly postings = new Postings()
  readonly chunks: ChunkRow[] = []
  readonly documents: DocumentRow[] = []
  readonly #byFile = new Map<string, DocumentRow>()
  bodyTerms = 0
  headingTerms = 0
  nameTerms = 0
  #columns: RowColumns | undefined

  /** The rows as typed arrays, made again after each change. */
  get columns(): RowColumns {
    this.#columns ??= columnsOf(this.chunks)
    return this.#columns
  }

  find(fileId: string): DocumentRow | undefined {
    return this.#byFile.get(fileId)
  }

  /** Adds a document; one with the same file id is replaced. */
  add(document: IndexDocument): void {
    this.remove(document.fileId)
    this.#columns = undefined
    const { fileId, scopeValues } = document
    const name = tokenize(nameText(document.filename))
    const from = this.chunks.length
    const row = {
      fileId,
      scopeValues,
      number: this.documents.length,
      from,
      to: from,
      bodyLength: 0,
      nameLength: name.length,
    }
    this.documents.push(row)
    this.#byFile.set(fileId, row)
    this.nameTerms += name.length
    for (const chunk of document.chunks) this.#addChunk(row, chunk, name)
    row.to = this.chunks.length
  }

  /** Takes a document out and tells whether it was there. */
  remove(fileId: string): boolean {
    const gone = this.#byFile.get(fileId)
    if (!gone) return false
    this.#columns = undefined
    const count = gone.to - gone.from
    this.postings.removeRows(gone.from, gone.to)
    for (const chunk of this.chunks.splice(gone.from, count)) this.headingTerms -= chunk.headingLength
    this.bodyTerms -= gone.bodyLength
    this.nameTerms -= gone.nameLength
    this.documents.splice(gone.number, 1)
    this.#byFile.delete(fileId)
    for (const document of this.documents.slice(gone.number)) {
      document.number--
      document.from -= count
      document.to -= count
    }
    return true
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.postings.bytes + (this.chunks.length + this.documents.length) * rowOverheadBytes
  }

  #addChunk(document: DocumentRow, chunk: IndexChunk, name: readonly string[]): void {
    const body = tokenize(chunk.text)
    const heading = tokenize(chunk.headingPath.join('\n'))
    const frequencies = new Map<string, number>()
    addFrequencies(frequencies, body, 1, 0xffff)
    addFrequencies(frequencies, heading, 1 << 16, 0xff)
    addFrequencies(frequencies, name, 1 << 24, 0xff)
    for (const [term, payload] of frequencies) this.postings.add(term, this.chunks.length, payload >>> 0)
    const { chunkId, order } = chunk
    this.chunks.push({ chunkId, order, document, bodyLength: body.length, headingLength: heading.length })
    document.bodyLength += body.length
    this.bodyTerms += body.length
    this.headingTerms += heading.length
  }
}

function columnsOf(chunks: readonly ChunkRow[]): RowColumns {
  const columns = {
    documentOf: new Uint32Array(chunks.length),
    bodyLength: new Float32Array(chunks.length),
    headingLength: new Float32Array(chunks.length),
  }
  for (const [row, chunk] of chunks.entries()) {
    columns.documentOf[row] = chunk.document.number
    columns.bodyLength[row] = chunk.bodyLength
    columns.headingLength[row] = chunk.headingLength
  }
  return columns
}

/** A file name without its extension, as text. */
function nameText(filename: string): string {
  return filename.replace(/\.[^.\s]{1,8}$/, '').replace(/_/g, ' ')
}

/** Counts each term in the bit field that begins at `unit`, up to `limit`. */
function addFrequencies(
  frequencies: Map<string, number>,
  terms: readonly string[],
  unit: number,
  limit: number,
): void {
  for (const term of terms) {
    const packed = frequencies.get(term) ?? 0
    if (Math.floor(packed / unit) % (limit + 1) < limit) frequencies.set(term, packed + unit)
  }
}
