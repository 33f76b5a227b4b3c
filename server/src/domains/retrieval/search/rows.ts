import type { ScopeValues } from '@cairn/contract'
import type { Language } from '../../../lib/text.ts'
import type { Segment } from '../segments/index.ts'
import { Postings } from './postings.ts'

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

/** What the rankers read for every row, or every document. */
export interface RowColumns {
  /**
   * Four numbers for each row: three floats, what to multiply a term's frequencies in text, heading path and file name
   * with (weights of the fields and BM25's length norms), and the document's number.
   */
  records: Uint32Array
  /** By document, what to multiply a term's frequency in all of it with. */
  documentFactors: Float32Array
}

/** Numbers of a record. */
const recordSize = 4

/** How much a word in the heading path or the file name counts, compared with one in the text. */
const headingWeight = 1.5
const nameWeight = 1.5
/** How much a field's length counts against it (BM25's b). */
const lengthShare = 0.75

const documentOverheadBytes = 300
/** A chunk's id, and its place in the columns. */
const rowBytes = 60

/** The data under the rankers: the chunks of all documents as rows, in the order they were added, and their terms. */
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
    const document = this.documents[this.columns.records[recordSize * row + 3] ?? -1]
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

/** One by BM25's norm of a field, which has `total` terms in `count` places, by its length in one place. */
function factorOf(total: number, count: number): (length: number) => number {
  const mean = total / count || 1
  return (length) => 1 / (1 - lengthShare + (lengthShare * length) / mean)
}

function sum(values: Uint32Array): number {
  let total = 0
  for (const value of values) total += value
  return total
}
