import type { Language } from '../../../lib/text.ts'
import { SpaceVectors, type VectorSpace } from '../vectors/index.ts'
import type { Scratch } from '../wasm/index.ts'
import { fuse, type Ranker } from './fusion.ts'
import { type LocalizedQuery, type QueryTerm, WordScores } from './lexical.ts'
import type { Query } from './query.ts'
import { type IndexDocument, IndexRows } from './rows.ts'
import { Vocabulary } from './vocabulary.ts'

export type { IndexDocument } from './rows.ts'

/** The rankers, each of which scores how well a chunk fits a question. An index has vectors of one kind at most. */
type RankerName = 'lexical' | 'ngram' | 'lsa' | 'embedding'
type Shares = Partial<Record<RankerName, number>>

/** How much each ranker counts. The shares of the rankers that find anything are scaled to add up to 1. */
const usualShares: Shares = { lexical: 0.6, ngram: 0.25, lsa: 0.25, embedding: 0.6 }
/** Cosines below these are found between chunks that have nothing to do with each other. */
const leastCosines = { lsa: 0.3, embedding: 0.2 }
/** Terms of a question that are searched for: a whole text may be pasted into one. */
const mostTerms = 64

/** Of very many words the rare ones tell most, and cost least; unknown words come last. */
function rarest(terms: readonly QueryTerm[]): QueryTerm[] {
  const holders = ({ postings }: QueryTerm) =>
    postings ? postings.end - postings.start : Number.POSITIVE_INFINITY
  return terms.toSorted((a, b) => holders(a) - holders(b)).slice(0, mostTerms)
}

/** For questions with identifiers, similar meaning misleads, so LSA is off. */
function sharesFor({ hasIdentifiers }: Query): Shares {
  return hasIdentifiers ? { ...usualShares, lsa: 0 } : usualShares
}

export interface SearchOptions {
  /** Most hits wanted, at least 1. */
  limit: number
  /** Exact filter, asked once per document before anything is ranked; without it all documents count. */
  accepts?: (fileId: string) => boolean
  /** Replaces the usual shares, for measuring; a ranker without a share is off. */
  shares?: Shares
  /** The question's unit vector, where the index has vectors of an embedding model. */
  vector?: Float32Array
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
  readonly #scratch: Scratch
  readonly #rows = new IndexRows()
  readonly #vocabulary = new Vocabulary(this.#rows.postings)
  #vectors: SpaceVectors | undefined

  /** Indexes that share one scratch memory are searched one after the other. */
  constructor(scratch: Scratch, documents: readonly IndexDocument[] = []) {
    this.#scratch = scratch
    this.reserve(documents)
    for (const document of documents) this.addDocument(document)
  }

  /** Makes exactly the room that documents take which are added next. */
  reserve(documents: readonly IndexDocument[]): void {
    this.#rows.postings.reserve(documents.map(({ segment }) => segment))
  }

  /** Adds a document; one with the same file id is replaced. */
  addDocument(document: IndexDocument): void {
    for (const _ of this.addInSlices(document));
  }

  /** `addDocument` with pauses, for an index that nobody searches yet. */
  *addInSlices(document: IndexDocument): Generator<void> {
    this.removeDocument(document.fileId)
    yield* this.#rows.addInSlices(document)
    this.#vectors?.append(document.chunkIds.length)
  }

  /** Takes a document out and tells whether it was there. */
  removeDocument(fileId: string): boolean {
    const gone = this.#rows.find(fileId)
    if (gone) this.#vectors?.remove(fileId, gone.from, gone.to)
    return this.#rows.remove(fileId)
  }

  /** The space of the chunks' vectors, if they have any. */
  get space(): VectorSpace | undefined {
    return this.#vectors?.space
  }

  /** From now on vectors are of this space; no document has any yet. */
  useSpace(space: VectorSpace | undefined): void {
    this.#vectors = space && new SpaceVectors(space, this.#rows.count)
  }

  /** The unit vectors of a document's chunks, one after the other; of one that is not there, nothing happens. */
  setVectors(fileId: string, vectors: Float32Array): void {
    const document = this.#rows.find(fileId)
    const isWhole =
      document && vectors.length === (document.to - document.from) * (this.space?.dimensions ?? 0)
    if (isWhole) this.#vectors?.set(fileId, document.from, vectors)
  }

  /** Documents that have no vectors. */
  get withoutVectors(): number {
    return this.documentCount - (this.#vectors?.filled ?? 0)
  }

  /** Does what the next search would have to do first, with pauses. */
  *prepareInSlices(): Generator<void> {
    yield* this.#vocabulary.prepareInSlices()
    void this.#rows.columns
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
    return this.#rows.bytes + this.#vocabulary.bytes + (this.#vectors?.bytes ?? 0)
  }

  /** The best chunks for a question, best first; equal scores by file id, then place in the file. */
  search(query: Query, options: SearchOptions): Hit[] {
    const scratch = this.#scratch
    const { limit, accepts, shares = sharesFor(query), vector } = options
    const rows = this.#rows
    scratch.begin()
    const isAccepted = rows.documents.map(({ fileId }) => !accepts || accepts(fileId))
    const queries = this.#localize(query, isAccepted)
    const rankers = [
      ...this.#lexicalRankers(queries, shares),
      ...this.#vectorRankers(queries, isAccepted, shares, vector),
    ]
    const fused = fuse(scratch, rankers, rows.count)
    const scores = scratch.floats(fused)
    return scratch
      .highest(fused, limit, (a, b) => this.#compare(a, b))
      .map((row) => {
        const { document, order } = rows.locate(row)
        const score = Math.min(1, scores[row] as number)
        return { chunkId: document.chunkIds[order] ?? '', fileId: document.fileId, score }
      })
  }

  #lexicalRankers(queries: readonly LocalizedQuery[], { lexical = 0, ngram = 0 }: Shares): Ranker[] {
    if (lexical === 0 && ngram === 0) return []
    const scores = new WordScores(this.#scratch, this.#rows, this.#vocabulary, ngram > 0)
    for (const localized of queries) scores.add(localized)
    return [
      { scores: scores.lexical, share: lexical },
      ...(scores.ngram ? [{ scores: scores.ngram, share: ngram }] : []),
    ]
  }

  #vectorRankers(
    queries: readonly LocalizedQuery[],
    isAccepted: readonly boolean[],
    shares: Shares,
    vector: Float32Array | undefined,
  ): Ranker[] {
    const { kind } = this.space ?? {}
    const share = kind ? (shares[kind] ?? 0) : 0
    if (!kind || share === 0) return []
    const counts = new Map(queries.flatMap(({ terms }) => terms.map(({ term, count }) => [term, count])))
    const scores = this.#vectors?.cosines(counts, vector)
    if (!scores) return []
    for (const { number, from, to } of this.#rows.documents) {
      if (!isAccepted[number]) scores.fill(0, from, to)
    }
    return [{ scores: this.#scratch.put(scores), share, admits: leastCosines[kind] }]
  }

  /** The question as the documents of each language are asked it: with that language's endings removed. */
  #localize(query: Query, isAccepted: readonly boolean[]): LocalizedQuery[] {
    const { documents } = this.#rows
    const languages = new Set(documents.map(({ language }) => language))
    return [...languages].map((language) => ({
      terms: this.#queryTerms(query, language),
      accepted: documents.map(({ language: own, number }) => own === language && isAccepted[number] === true),
    }))
  }

  #queryTerms(query: Query, language: Language): QueryTerm[] {
    const terms = query
      .termsIn(language)
      .map(([term, count]) => ({ term, count, postings: this.#rows.postings.view(term) }))
    return terms.length <= mostTerms ? terms : rarest(terms)
  }

  /** The order of chunks with equal scores. */
  #compare(a: number, b: number): number {
    const [left, right] = [this.#rows.locate(a), this.#rows.locate(b)]
    if (left.document !== right.document) return left.document.fileId < right.document.fileId ? -1 : 1
    return left.order - right.order
  }
}
