import type { ScopeValues } from '@cairn/contract'
import type { Language } from '../../lib/text.ts'
import { Postings } from './postings.ts'
import type { Segment } from './segment.ts'

/** A document as the index takes it: its terms, and the ids of its chunks in order. */
export interface IndexDocument {
  fileId: string
  scopeValues: ScopeValues
  chunkIds: readonly string[]
  segment: Segment
}

/** A document in the index: its chunks are rows `from` to `to` (exclusive). Lengths are in terms. */
export interface DocumentRow {
  fileId: string
  scopeValues: ScopeValues
  chunkIds: readonly string[]
  language: Language
  bodyLengths: Uint32Array
  headingLengths: Uint32Array
  bodyLength: number
  headingLength: number
  nameLength: number
  number: number
  from: number
  to: number
}

/** What the voices read for every row, or every document, as typed arrays. */
export interface RowColumns {
  documentOf: Uint32Array
  /** BM25's length norms: text (1 / norm) and heading path of a row, file name and all text of a document. */
  bodyFactor: Float32Array
  headingNorm: Float32Array
  nameNorm: Float32Array
  documentNorm: Float32Array
}

/** How much a field's length counts against it (BM25's b). */
const lengthShare = 0.75

const documentOverheadBytes = 300
/** A chunk's id, and its place in the columns. */
const rowBytes = 60

/** The data under the voices: the chunks of all documents as rows, in the order they were added, and their terms. */
export class IndexRows {
  readonly postings = new Postings()
  readonly documents: DocumentRow[] = []
  readonly #byFile = new Map<string, DocumentRow>()
  bodyTerms = 0
  headingTerms = 0
  nameTerms = 0
  #columns: RowColumns | undefined

  /** Rows in all. */
  get count(): number {
    return this.documents.at(-1)?.to ?? 0
  }

  /** The rows as typed arrays, made again after each change. */
  get columns(): RowColumns {
    this.#columns ??= this.#makeColumns()
    return this.#columns
  }

  find(fileId: string): DocumentRow | undefined {
    return this.#byFile.get(fileId)
  }

  /** The document of a row, and the row's place in it. */
  locate(row: number): { document: DocumentRow; order: number } {
    const document = this.documents[this.columns.documentOf[row] ?? -1]
    if (!document) throw new RangeError(`the index has no row ${row}`)
    return { document, order: row - document.from }
  }

  /** Adds a document; one with the same file id is replaced. */
  add(document: IndexDocument): void {
    for (const _ of this.addInSlices(document));
  }

  /** `add` with pauses, in which nobody may search. */
  *addInSlices({ fileId, scopeValues, chunkIds, segment }: IndexDocument): Generator<void> {
    this.remove(fileId)
    this.#columns = undefined
    const { language, bodyLengths, headingLengths, nameLength } = segment
    const from = this.count
    const row: DocumentRow = {
      fileId,
      scopeValues,
      chunkIds,
      language,
      bodyLengths,
      headingLengths,
      bodyLength: sum(bodyLengths),
      headingLength: sum(headingLengths),
      nameLength,
      number: this.documents.length,
      from,
      to: from + chunkIds.length,
    }
    yield* this.postings.addInSlices(segment, from)
    this.documents.push(row)
    this.#byFile.set(fileId, row)
    this.bodyTerms += row.bodyLength
    this.headingTerms += row.headingLength
    this.nameTerms += nameLength
  }

  /** Takes a document out and tells whether it was there. */
  remove(fileId: string): boolean {
    const gone = this.#byFile.get(fileId)
    if (!gone) return false
    this.#columns = undefined
    const count = gone.to - gone.from
    if (count > 0) this.postings.removeRows(gone.from, gone.to)
    this.bodyTerms -= gone.bodyLength
    this.headingTerms -= gone.headingLength
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

  #makeColumns(): RowColumns {
    const { count, documents } = this
    const documentOf = new Uint32Array(count)
    const body = new Float32Array(count)
    const heading = new Float32Array(count)
    for (const { number, from, to, bodyLengths, headingLengths } of documents) {
      documentOf.fill(number, from, to)
      body.set(bodyLengths, from)
      heading.set(headingLengths, from)
    }
    const name = Float32Array.from(documents, (document) => document.nameLength)
    const whole = Float32Array.from(documents, (document) => document.bodyLength)
    return {
      documentOf,
      bodyFactor: normsOf(body, this.bodyTerms).map((norm) => 1 / norm),
      headingNorm: normsOf(heading, this.headingTerms),
      nameNorm: normsOf(name, this.nameTerms),
      documentNorm: normsOf(whole, this.bodyTerms),
    }
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.postings.bytes + this.count * rowBytes + this.documents.length * documentOverheadBytes
  }
}

function normsOf(lengths: Float32Array, total: number): Float32Array {
  const mean = total / lengths.length || 1
  for (let index = 0; index < lengths.length; index++) {
    lengths[index] = 1 - lengthShare + (lengthShare * (lengths[index] as number)) / mean
  }
  return lengths
}

function sum(values: Uint32Array): number {
  let total = 0
  for (const value of values) total += value
  return total
}
