import { tokenize } from '../../lib/text.ts'
import { type IndexDocument, IndexRows } from './rows.ts'
import { chunkVoice, documentVoice, type QueryTerm, type Voice } from './voices.ts'

export type { IndexChunk, IndexDocument } from './rows.ts'

export interface SearchOptions {
  /** Most hits wanted, at least 1. */
  limit: number
  /** Exact filter, asked once per document before anything is ranked; without it all documents count. */
  accepts?: (fileId: string) => boolean
}

/** `score` lies in 0..1: 1 would be a chunk that says nothing but the question's terms. */
export interface Hit {
  chunkId: string
  fileId: string
  score: number
}

/** The voices that are heard, the share each has, and whether its word alone makes a chunk a candidate. */
const voices: readonly { voice: Voice; share: number }[] = [
  { voice: chunkVoice, share: 0.65 },
  { voice: documentVoice, share: 0.35 },
]

/**
 * The searchable chunks of one chat, in memory. Exact: every accepted chunk that shares a term with the question is
 * ranked. Statistics (how rare a term is) count all documents of the chat, filtered out ones too.
 */
export class ChatIndex {
  readonly #rows = new IndexRows()

  constructor(documents: Iterable<IndexDocument> = []) {
    for (const document of documents) this.addDocument(document)
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

  get documentCount(): number {
    return this.#rows.documents.length
  }

  get chunkCount(): number {
    return this.#rows.chunks.length
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#rows.bytes
  }

  /** The best chunks for a question, best first; equal scores by file id, then place in the file. */
  search(query: string, { limit, accepts }: SearchOptions): Hit[] {
    const rows = this.#rows
    const terms = this.#queryTerms(query)
    const mask = Uint8Array.from(rows.documents, ({ fileId }) => (!accepts || accepts(fileId) ? 1 : 0))
    const scores = this.#fuse(terms, mask)
    return this.#best(scores, limit).map((row) => {
      const { chunkId, document } = rows.chunks[row] as (typeof rows.chunks)[number]
      return { chunkId, fileId: document.fileId, score: scores[row] as number }
    })
  }

  #queryTerms(query: string): QueryTerm[] {
    const counts = new Map<string, number>()
    for (const term of tokenize(query)) counts.set(term, (counts.get(term) ?? 0) + 1)
    return [...counts].map(([term, count]) => ({ term, count, postings: this.#rows.postings.view(term) }))
  }

  /** Weighted sum of the voices; a chunk that the first voice gives 0 is no candidate. */
  #fuse(terms: readonly QueryTerm[], mask: Uint8Array): Float32Array {
    const fused = new Float32Array(this.#rows.chunks.length)
    const heard = voices.map(({ voice, share }) => ({ scores: voice(this.#rows, terms, mask), share }))
    const [first] = heard
    for (let row = 0; row < fused.length; row++) {
      if (!first || first.scores[row] === 0) continue
      for (const { scores, share } of heard)
        fused[row] = (fused[row] as number) + share * (scores[row] as number)
    }
    return fused
  }

  /** Rows of the `limit` best scores above 0, best first. */
  #best(scores: Float32Array, limit: number): number[] {
    const best: number[] = []
    for (let row = 0; row < scores.length; row++) {
      if (scores[row] === 0) continue
      const worst = best[best.length - 1]
      if (best.length >= limit && worst !== undefined && this.#compare(scores, row, worst) > 0) continue
      let at = best.length
      while (at > 0 && this.#compare(scores, row, best[at - 1] as number) < 0) at--
      best.splice(at, 0, row)
      if (best.length > limit) best.pop()
    }
    return best
  }

  #compare(scores: Float32Array, a: number, b: number): number {
    const difference = (scores[b] as number) - (scores[a] as number)
    if (difference !== 0) return difference
    const [left, right] = [this.#rows.chunks[a], this.#rows.chunks[b]]
    if (!left || !right) return 0
    if (left.document !== right.document) return left.document.fileId < right.document.fileId ? -1 : 1
    return left.order - right.order
  }
}
