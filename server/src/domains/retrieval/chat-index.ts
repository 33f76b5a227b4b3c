import { tokenize } from '../../lib/text.ts'
import { fuse, highest, type Voice } from './fusion.ts'
import { addLexicalScores, type QueryTerm, type Reading } from './lexical.ts'
import { type IndexDocument, IndexRows } from './rows.ts'
import { addSimilarTermScores } from './similar-terms.ts'
import { Vocabulary } from './vocabulary.ts'

export type { IndexDocument } from './rows.ts'

/** The ways of judging how well a chunk fits a question. */
export type VoiceName = 'lexical' | 'ngram'

/** How much each voice counts; the shares of those that have something to say are made to add up to 1. */
const usualShares: Record<VoiceName, number> = { lexical: 0.65, ngram: 0.35 }

export interface SearchOptions {
  /** Most hits wanted, at least 1. */
  limit: number
  /** Exact filter, asked once per document before anything is ranked; without it all documents count. */
  accepts?: (fileId: string) => boolean
  /** Other shares than the usual ones; a voice that is left out is not heard. For measuring. */
  shares?: Partial<Record<VoiceName, number>>
}

/** `score` lies in 0..1: 1 would be a chunk that says nothing but the question's terms. */
export interface Hit {
  chunkId: string
  fileId: string
  score: number
}

/**
 * The searchable chunks of one chat, in memory. Exact: every accepted chunk that has anything to do with the question
 * is ranked. Statistics (how rare a term is) count all documents of the chat, filtered out ones too.
 */
export class ChatIndex {
  readonly #rows = new IndexRows()
  readonly #vocabulary = new Vocabulary(this.#rows.postings)

  constructor(documents: readonly IndexDocument[] = []) {
    this.reserve(documents)
    for (const document of documents) this.addDocument(document)
  }

  /** Makes exactly the room that documents take which are added next. */
  reserve(documents: readonly IndexDocument[]): void {
    this.#rows.postings.reserve(documents.map(({ segment }) => segment))
  }

  /** Adds a document; one with the same file id is replaced. */
  addDocument(document: IndexDocument): void {
    this.#rows.add(document)
  }

  /** Takes a document out and tells whether it was there. */
  removeDocument(fileId: string): boolean {
    return this.#rows.remove(fileId)
  }

  /** Scope values of a document, for exact filters. */
  scopeValues(fileId: string): IndexDocument['scopeValues'] | undefined {
    return this.#rows.find(fileId)?.scopeValues
  }

  get fileIds(): string[] {
    return this.#rows.documents.map(({ fileId }) => fileId)
  }

  get documentCount(): number {
    return this.#rows.documents.length
  }

  get chunkCount(): number {
    return this.#rows.count
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#rows.bytes + this.#vocabulary.bytes
  }

  /** The best chunks for a question, best first; equal scores by file id, then place in the file. */
  search(query: string, { limit, accepts, shares = usualShares }: SearchOptions): Hit[] {
    const rows = this.#rows
    const mask = Uint8Array.from(rows.documents, ({ fileId }) => (!accepts || accepts(fileId) ? 1 : 0))
    const scores = fuse(this.#voices({ terms: this.#queryTerms(query), mask }, shares))
    return highest(scores, limit, (a, b) => this.#compare(a, b)).map((row) => {
      const { document, order } = rows.locate(row)
      return { chunkId: document.chunkIds[order] ?? '', fileId: document.fileId, score: scores[row] ?? 0 }
    })
  }

  #voices(reading: Reading, { lexical = 0, ngram = 0 }: NonNullable<SearchOptions['shares']>): Voice[] {
    const rows = this.#rows
    const voice = (share: number): Voice => ({ scores: new Float32Array(rows.count), share, lowest: 0 })
    const voices = { lexical: voice(lexical), ngram: voice(ngram) }
    if (lexical > 0) addLexicalScores(rows, reading, voices.lexical.scores)
    if (ngram > 0) addSimilarTermScores(rows, this.#vocabulary, reading, voices.ngram.scores)
    return Object.values(voices)
  }

  #queryTerms(query: string): QueryTerm[] {
    const counts = new Map<string, number>()
    for (const term of tokenize(query)) counts.set(term, (counts.get(term) ?? 0) + 1)
    return [...counts].map(([term, count]) => ({ term, count, postings: this.#rows.postings.view(term) }))
  }

  /** The order of chunks with equal scores. */
  #compare(a: number, b: number): number {
    const [left, right] = [this.#rows.locate(a), this.#rows.locate(b)]
    if (left.document !== right.document) return left.document.fileId < right.document.fileId ? -1 : 1
    return left.order - right.order
  }
}
