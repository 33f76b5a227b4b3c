import type { ContextEntry, ScopeValues } from '@cairn/contract'
import type { Tenant } from '../../lib/fair-queue.ts'
import type { ConfiguredChat } from '../chats/index.ts'
import { type ChunkPlace, type FoundChunk, Query, type RetrievalService } from '../retrieval/index.ts'
import { phrasesIn, preferNamed } from './question/index.ts'
import { maxCandidates, type RankingReport } from './reranking/index.ts'

/** The documents of a chat to search, at a version of its index. */
export interface Source {
  chatId: string
  version: number
  files: 'all' | readonly string[]
}

/** The documents that answers may use, according to the settings. */
export function sourceOf({ chat, settings }: ConfiguredChat): Source {
  return { chatId: chat.chat_id, version: chat.index_version, files: settings.context_files }
}

interface SearchParameters {
  tenant: Tenant
  query: Query
  limit: number
  scopeFilters: ScopeValues
}

/** Orders all candidates anew, best first. */
export type Rank = (
  query: string,
  candidates: readonly FoundChunk[],
) => Promise<{ chunks: readonly FoundChunk[]; report: RankingReport | undefined }>

/** Candidates per context entry, among which chunks with the names of the question are searched. */
const candidatesPerEntry = 3

/** The names in a question, and a query for them if there are any. */
function namesIn({ text }: Query): { names: readonly string[]; query: Query | undefined } {
  const names = phrasesIn(text)
  return { names, query: names.length > 0 ? new Query(names.join(' ')) : undefined }
}

/** Searches for the question, and for its names, best first. `foundLimit` is the maximum for the question. */
async function search(
  retrieval: RetrievalService,
  source: Source,
  parameters: SearchParameters,
  names: Query | undefined,
  foundLimit: number,
) {
  const limit = candidatesPerEntry * parameters.limit
  const [found, named] = await Promise.all([
    retrieval.retrieve({ ...source, ...parameters, limit: foundLimit }),
    names ? retrieval.retrieve({ ...source, ...parameters, query: names, limit, lexicalOnly: true }) : [],
  ])
  return { found, named }
}

function toEntry({ place: _, ...entry }: FoundChunk): ContextEntry {
  return entry
}

/** The places of chunks in their documents, by the id of the chunk. */
export type Places = ReadonlyMap<string, ChunkPlace>

function placesOf(chunks: readonly FoundChunk[]): Places {
  return new Map(chunks.map(({ chunk_id, place }) => [chunk_id, place]))
}

/**
 * The best `limit` chunks for a question, among the chunks that searches have found for the whole question and for its
 * names.
 *
 * A model may rank the chunks of the searches. Graph neighbours are among them in the place that their seed gives them
 * (`expansion.ts`), because they have no score for the question. The model reads them, so that they compete with the
 * chunks of the search: a neighbour may come before its seed. Without a ranking, the rule decides alone.
 */
async function choose(
  { found, named }: { found: readonly FoundChunk[]; named: readonly FoundChunk[] },
  { query, limit }: SearchParameters,
  names: readonly string[],
  rank: Rank | undefined,
): Promise<{ chunks: FoundChunk[]; ranking: RankingReport | undefined }> {
  const unranked = () => preferNamed(found.slice(0, limit), named, names)
  if (!rank) return { chunks: unranked(), ranking: undefined }
  const { chunks, report } = await rank(query.text, preferNamed(found, named, names))
  const isRanked = report !== undefined && report.ranked.length > 0
  return { chunks: isRanked ? chunks.slice(0, limit) : unranked(), ranking: report }
}

/** The number of chunks to find. The best `limit` of them become the context. */
function foundLimitOf({ limit }: SearchParameters, rank: Rank | undefined): number {
  return rank ? Math.max(limit, maxCandidates) : limit
}

/** Finds the context of a question. */
export async function findContext(
  retrieval: RetrievalService,
  source: Source,
  parameters: SearchParameters,
  rank?: Rank,
): Promise<{ context: ContextEntry[]; places: Places; ranking: RankingReport | undefined }> {
  const { names, query } = namesIn(parameters.query)
  const found = await search(retrieval, source, parameters, query, foundLimitOf(parameters, rank))
  const { chunks, ranking } = await choose(found, parameters, names, rank)
  return {
    context: chunks.map(toEntry),
    places: placesOf(chunks),
    ranking,
  }
}

/**
 * Finds the context of an end user's question in the app's chat and the user's private chat. Each chat has its own
 * index, so both are searched separately. `sharedChunks` are the ids of the chunks of the app's chat.
 */
export async function findUserContext(
  retrieval: RetrievalService,
  shared: Source,
  userSource: Source,
  parameters: SearchParameters,
  rank?: Rank,
): Promise<{
  context: ContextEntry[]
  places: Places
  sharedChunks: Set<string>
  ranking: RankingReport | undefined
}> {
  const { names, query } = namesIn(parameters.query)
  const foundLimit = foundLimitOf(parameters, rank)
  const [inShared, inPrivate] = await Promise.all([
    search(retrieval, shared, parameters, query, foundLimit),
    search(retrieval, userSource, parameters, query, foundLimit),
  ])
  const merged = (a: FoundChunk[], b: FoundChunk[]) => [...a, ...b].sort((x, y) => y.score - x.score)
  const found = merged(inPrivate.found, inShared.found).slice(0, foundLimit)
  const named = merged(inPrivate.named, inShared.named)
  const { chunks, ranking } = await choose({ found, named }, parameters, names, rank)
  const sharedChunks = [...inShared.found, ...inShared.named].map(({ chunk_id }) => chunk_id)
  return {
    context: chunks.map(toEntry),
    places: placesOf(chunks),
    sharedChunks: new Set(sharedChunks),
    ranking,
  }
}
