import type { ContextEntry, ScopeValues } from '@cairn/contract'
import type { Tenant } from '../../lib/fair-queue.ts'
import type { ConfiguredChat } from '../chats/index.ts'
import { type ChunkPlace, type FoundChunk, Query, type RetrievalService } from '../retrieval/index.ts'
import { phrasesIn, preferNamed } from './question/index.ts'

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

/** Candidates per context entry, among which chunks with the names of the question are searched. */
const candidatesPerEntry = 3

/** The names in a question, and a query for them if there are any. */
function namesIn({ text }: Query): { names: readonly string[]; query: Query | undefined } {
  const names = phrasesIn(text)
  return { names, query: names.length > 0 ? new Query(names.join(' ')) : undefined }
}

/** Searches for the question, and for its names, best first. */
async function search(
  retrieval: RetrievalService,
  source: Source,
  parameters: SearchParameters,
  names: Query | undefined,
) {
  const limit = candidatesPerEntry * parameters.limit
  const [found, named] = await Promise.all([
    retrieval.retrieve({ ...source, ...parameters }),
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

/** Finds the context of a question. */
export async function findContext(
  retrieval: RetrievalService,
  source: Source,
  parameters: SearchParameters,
): Promise<{ context: ContextEntry[]; places: Places }> {
  const { names, query } = namesIn(parameters.query)
  const { found, named } = await search(retrieval, source, parameters, query)
  const chunks = preferNamed(found, named, names)
  return {
    context: chunks.map(toEntry),
    places: placesOf(chunks),
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
): Promise<{ context: ContextEntry[]; places: Places; sharedChunks: Set<string> }> {
  const { names, query } = namesIn(parameters.query)
  const [inShared, inPrivate] = await Promise.all([
    search(retrieval, shared, parameters, query),
    search(retrieval, userSource, parameters, query),
  ])
  const merged = (a: FoundChunk[], b: FoundChunk[]) => [...a, ...b].sort((x, y) => y.score - x.score)
  const found = merged(inPrivate.found, inShared.found).slice(0, parameters.limit)
  const chunks = preferNamed(found, merged(inPrivate.named, inShared.named), names)
  const sharedChunks = [...inShared.found, ...inShared.named].map(({ chunk_id }) => chunk_id)
  return { context: chunks.map(toEntry), places: placesOf(chunks), sharedChunks: new Set(sharedChunks) }
}
