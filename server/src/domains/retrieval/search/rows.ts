import type { ScopeValues } from '@cairn/contract'
import type { Language } from '../../../lib/text.ts'
import type { Segment } from '../segments/index.ts'
import { Postings } from './postings.ts'

/** Input of the index for a document; `chunkIds` are in the order of the text. */
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

/** Precomputed factors that the rankers read for every row or document. */
export interface RowColumns {
  /**
   * Four 32-bit numbers per row. The first three are floats: the factors for a term's frequencies in text, heading
   * path and file name (field weight and BM25 length normalization). The fourth is the document's number as an
   * integer.
   */
  records: Uint32Array
  /** By document number, the factor for a term's frequency in the whole document. */
  documentFactors: Float32Array
}

/** Numbers per record. */
const recordSize = 4

/** Weights of the heading path and the file name, relative to the text. */
const headingWeight = 1.5
const nameWeight = 1.5
/** Strength of the length normalization (b of BM25). */
const lengthNormalization = 0.75

const documentOverheadBytes = 300
/** Estimated memory of a chunk's id and its record. */
const rowBytes = 60

/** The chunks of all documents as rows, in the order of adding, with their postings. */
export class IndexRows {
  readonly postings = new Postings()
  readonly documents: DocumentRow[] = []
  readonly #byFile = new Map<string, DocumentRow>()
  bodyTerms = 0
  headingTerms = 0
  nameTerms = 0
  #columns: RowColumns | undefined

  /** Number of rows. */
  get count(): number {
    return this.documents.at(-1)?.to ?? 0
  }

  /** The factors, computed again after each change. */
  get columns(): RowColumns {
    this.#columns ??= this.#makeColumns()
    return this.#columns
  }

  find(fileId: string): DocumentRow | undefined {
    return this.#byFile.get(fileId)
  }

  /** The document of a row, and the row's position in it, from 0. */
  locate(row: number): { document: DocumentRow; order: number } {
    const document = this.documents[this.columns.records[recordSize * row + 3] ?? -1]
    if (!document) throw new RangeError(`the index has no row ${row}`)
    return { document, order: row - document.from }
  }

  /** Adds a document; one with the same file id is replaced. */
  add(document: IndexDocument): void {
    for (const _ of this.addInSlices(document));
  }

  /** Like `add`, but yields between slices of work. The rows must not be searched before the last slice. */
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

  /** Removes a document; returns whether it existed. */
  remove(fileId: string): boolean {
    const removed = this.#byFile.get(fileId)
    if (!removed) return false
    this.#columns = undefined
    const count = removed.to - removed.from
    if (count > 0) this.postings.removeRows(removed.from, removed.to)
    this.bodyTerms -= removed.bodyLength
    this.headingTerms -= removed.headingLength
    this.nameTerms -= removed.nameLength
    this.documents.splice(removed.number, 1)
    this.#byFile.delete(fileId)
    for (const document of this.documents.slice(removed.number)) {
      document.number--
      document.from -= count
      document.to -= count
    }
    return true
  }

  #makeColumns(): RowColumns {
    const { count, documents } = this
    const records = new Uint32Array(recordSize * count)
    const factors = new Float32Array(records.buffer)
    const bodyFactor = factorOf(this.bodyTerms, count)
    const headingFactor = factorOf(this.headingTerms, count)
    const nameFactor = factorOf(this.nameTerms, documents.length)
    for (const { number, from, to, bodyLengths, headingLengths, nameLength } of documents) {
      const name = nameWeight * nameFactor(nameLength)
      for (let row = from; row < to; row++) {
        const at = recordSize * row
        factors[at] = bodyFactor(bodyLengths[row - from] as number)
        factors[at + 1] = headingWeight * headingFactor(headingLengths[row - from] as number)
        factors[at + 2] = name
        records[at + 3] = number
      }
    }
    const documentFactor = factorOf(this.bodyTerms, documents.length)
    return {
      records,
      documentFactors: Float32Array.from(documents, ({ bodyLength }) => documentFactor(bodyLength)),
    }
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.postings.bytes + this.count * rowBytes + this.documents.length * documentOverheadBytes
  }
}

/** Returns BM25's length factor by field length; all `count` fields together have `total` terms. */
function factorOf(total: number, count: number): (length: number) => number {
  const mean = total / count || 1
  return (length) => 1 / (1 - lengthNormalization + (lengthNormalization * length) / mean)
}

function sum(values: Uint32Array): number {
  let total = 0
  for (const value of values) total += value
  return total
}
