import type { Language } from '../../../lib/text.ts'
import { SpaceVectors, type VectorSpace } from '../vectors/index.ts'
import { minPositiveScore, type Scratch } from '../wasm/index.ts'
import { subtractBaseline } from './baseline.ts'
import { fuse, type Ranker } from './fusion.ts'
import { type LocalizedQuery, type QueryTerm, WordScores } from './lexical.ts'
import type { Query } from './query.ts'
import { type IndexDocument, IndexRows } from './rows.ts'
import { Vocabulary } from './vocabulary.ts'

export type { IndexDocument } from './rows.ts'

/** Each ranker scores how well a chunk matches a question. An index has vectors of at most one kind. */
type RankerName = 'lexical' | 'ngram' | 'lsa' | 'embedding'
type RankerWeights = Partial<Record<RankerName, number>>

/** Weights of the rankers. The weights of the rankers with any hit are scaled to a sum of 1. */
const defaultWeights: RankerWeights = { lexical: 0.6, ngram: 0.25, lsa: 0.25, embedding: 0.5 }
/** Lower cosines also occur between unrelated texts. */
const minCosines = { lsa: 0.3, embedding: 0.2 }
/**
 * Maximum terms of a question that are searched for, because a question may contain a whole pasted text. The languages of
 * the documents share them, because each language is searched separately.
 */
const maxTerms = 64
const minTermsPerLanguage = 8

/**
 * Selects the terms with the fewest postings, which are the most specific and the cheapest. Unknown terms come last.
 */
function rarest(terms: readonly QueryTerm[], count: number): QueryTerm[] {
  const postingCount = ({ postings }: QueryTerm) =>
    postings ? postings.end - postings.start : Number.POSITIVE_INFINITY
  return terms.toSorted((a, b) => postingCount(a) - postingCount(b)).slice(0, count)
}

/** For questions with identifiers, similar meaning misleads, so LSA is off. */
function weightsFor({ hasIdentifiers }: Query): RankerWeights {
  return hasIdentifiers ? { ...defaultWeights, lsa: 0 } : defaultWeights
}

export interface SearchOptions {
  /** Maximum number of hits, at least 1. */
  limit: number
  /** Exact filter, called once per document before ranking; by default all documents are accepted. */
  accepts?: (fileId: string) => boolean
  /** Replaces the default weights; a ranker without a weight is off. */
  weights?: RankerWeights
  /** The question's unit vector, if the index has vectors of an embedding model. */
  vector?: Float32Array
}

/** `score` is in 0..1; a chunk that contains only the question's terms would approach 1. */
export interface Hit {
  chunkId: string
  fileId: string
  score: number
}

/**
 * The searchable chunks of one chat, in memory. The search is exhaustive: it ranks every accepted chunk with any match.
 * Statistics such as document frequencies count all documents of the chat, also the ones that the filter excludes.
 */
export class ChatIndex {
  readonly #scratch: Scratch
  readonly #rows = new IndexRows()
  readonly #vocabulary = new Vocabulary(this.#rows.postings)
  #vectors: SpaceVectors | undefined

  /** Only one of the indexes with the same scratch memory can be searched at a time. */
  constructor(scratch: Scratch, documents: readonly IndexDocument[] = []) {
    this.#scratch = scratch
    this.reserve(documents)
    for (const document of documents) this.addDocument(document)
  }

  /** Reserves exactly the memory for the documents that are added next. */
  reserve(documents: readonly IndexDocument[]): void {
    for (const _ of this.reserveInSlices(documents));
  }

  /** Like `reserve`, but yields between slices of work. */
  reserveInSlices(documents: readonly IndexDocument[]): Generator<void> {
    return this.#rows.postings.reserveInSlices(documents.map(({ segment }) => segment))
  }

  /** Adds a document; one with the same file id is replaced. */
  addDocument(document: IndexDocument): void {
    for (const _ of this.addInSlices(document));
  }

  /** Like `addDocument`, but yields between slices of work. The index must not be searched before the last slice. */
  *addInSlices(document: IndexDocument): Generator<void> {
    this.removeDocument(document.fileId)
    yield* this.#rows.addInSlices(document)
    this.#vectors?.append(document.chunkIds.length)
  }

  /** Removes a document; returns whether the index contained it. */
  removeDocument(fileId: string): boolean {
    const document = this.#rows.find(fileId)
    if (document) this.#vectors?.remove(fileId, document.from, document.to)
    return this.#rows.remove(fileId)
  }

  /** The space of the chunks' vectors; undefined without vectors. */
  get space(): VectorSpace | undefined {
    return this.#vectors?.space
  }

  /** Replaces the space; all vectors are deleted. */
  useSpace(space: VectorSpace | undefined): void {
    this.#vectors = space && new SpaceVectors(space, this.#rows.count)
  }

  /**
   * Sets the unit vectors of a document's chunks, one after the other. Does nothing if the index does not contain the
   * document, or if the length does not match.
   */
  setVectors(fileId: string, vectors: Float32Array): void {
    const document = this.#rows.find(fileId)
    const isWhole =
      document && vectors.length === (document.to - document.from) * (this.space?.dimensions ?? 0)
    if (isWhole) this.#vectors?.set(fileId, document.from, vectors)
  }

  /** Number of documents without vectors. */
  get documentsWithoutVectors(): number {
    return this.documentCount - (this.#vectors?.documentsWithVectors ?? 0)
  }

  /** Does the preparation that the next search would otherwise do, and yields between slices of work. */
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

  /** The best chunks for a question, best first; equal scores are ordered by file id, then by position in the file. */
  search(query: Query, options: SearchOptions): Hit[] {
    const scratch = this.#scratch
    const { limit, accepts, weights = weightsFor(query), vector } = options
    const rows = this.#rows
    scratch.reset()
    const isAccepted = rows.documents.map(({ fileId }) => !accepts || accepts(fileId))
    const queries = this.#localize(query, isAccepted)
    const rankers = [
      ...this.#lexicalRankers(queries, weights),
      ...this.#vectorRankers(queries, isAccepted, weights, vector),
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

  #lexicalRankers(queries: readonly LocalizedQuery[], { lexical = 0, ngram = 0 }: RankerWeights): Ranker[] {
    if (lexical === 0 && ngram === 0) return []
    const scores = new WordScores(this.#scratch, this.#rows, this.#vocabulary, ngram > 0)
    for (const localized of queries) scores.add(localized)
    return [
      { scores: scores.lexical, weight: lexical },
      ...(scores.ngram ? [{ scores: scores.ngram, weight: ngram }] : []),
    ]
  }

  #vectorRankers(
    queries: readonly LocalizedQuery[],
    isAccepted: readonly boolean[],
    weights: RankerWeights,
    vector: Float32Array | undefined,
  ): Ranker[] {
    const { kind } = this.space ?? {}
    const weight = kind ? (weights[kind] ?? 0) : 0
    if (!kind || weight === 0) return []
    const counts = new Map(queries.flatMap(({ terms }) => terms.map(({ term, count }) => [term, count])))
    const scores = this.#vectors?.cosines(counts, vector)
    if (!scores) return []
    const baseline = kind === 'embedding' ? subtractBaseline(scores) : 0
    for (const { number, from, to } of this.#rows.documents) {
      if (!isAccepted[number]) scores.fill(0, from, to)
    }
    const minScore = Math.max(minPositiveScore, minCosines[kind] - baseline)
    return [{ scores: this.#scratch.allocateCopy(scores), weight, minScore, baseline }]
  }

  /** The question for the documents of each language, stemmed for that language. */
  #localize(query: Query, isAccepted: readonly boolean[]): LocalizedQuery[] {
    const { documents } = this.#rows
    const languages = new Set(documents.map(({ language }) => language))
    const count = Math.max(minTermsPerLanguage, Math.floor(maxTerms / languages.size))
    return [...languages].map((language) => ({
      terms: this.#queryTerms(query, language, count),
      accepted: documents.map(
        ({ language: documentLanguage, number }) =>
          documentLanguage === language && isAccepted[number] === true,
      ),
    }))
  }

  #queryTerms(query: Query, language: Language, count: number): QueryTerm[] {
    const terms = query
      .termsIn(language)
      .map(([term, count]) => ({ term, count, postings: this.#rows.postings.view(term) }))
    return terms.length <= count ? terms : rarest(terms, count)
  }

  /** The order of chunks with equal scores. */
  #compare(a: number, b: number): number {
    const [left, right] = [this.#rows.locate(a), this.#rows.locate(b)]
    if (left.document !== right.document) return left.document.fileId < right.document.fileId ? -1 : 1
    return left.order - right.order
  }
}
