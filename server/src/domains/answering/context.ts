import type { ContextEntry, ScopeValues } from '@cairn/contract'
import type { Tenant } from '../../lib/fair-queue.ts'
import type { PublishedChat } from '../chats/index.ts'
import { Query, type RetrievalService } from '../retrieval/index.ts'
import { phrasesIn, withNamed } from './question/index.ts'

/** Documents that a question may be answered from. */
export interface Source {
  chatId: string
  version: number
  files: 'all' | readonly string[]
}

/** The documents that answers may use, according to the chat's published settings. */
export function sourceOf({ chat, settings }: PublishedChat): Source {
  return { chatId: chat.chat_id, version: chat.index_version, files: settings.context_files }
}

interface Sought {
  tenant: Tenant
  query: Query
  limit: number
  scopeFilters: ScopeValues
}

/** Chunks that are looked at for each one wanted, to find those that say the names of a question. */
const candidatesPerEntry = 3

/** The names in a question, and the query for them if there are any. */
function namesIn({ text }: Query): { names: readonly string[]; query: Query | undefined } {
  const names = phrasesIn(text)
  return { names, query: names.length > 0 ? new Query(names.join(' ')) : undefined }
}

/** What fits the words, best first, and what fits the names in them. */
async function search(retrieval: RetrievalService, source: Source, sought: Sought, names: Query | undefined) {
  const limit = candidatesPerEntry * sought.limit
  const [found, named] = await Promise.all([
    retrieval.retrieve({ ...source, ...sought }),
    names ? retrieval.retrieve({ ...source, ...sought, query: names, limit, lexicalOnly: true }) : [],
  ])
  return { found, named }
}

/** The chunks that a question of these words is answered from. */
export async function findContext(
  retrieval: RetrievalService,
  source: Source,
  sought: Sought,
): Promise<ContextEntry[]> {
  const { names, query } = namesIn(sought.query)
  const { found, named } = await search(retrieval, source, sought, query)
  return withNamed(found, named, names)
}

/** The best of both chats, and which of it is of the shared one. Each is searched by itself: no index has both. */
export async function findInBoth(
  retrieval: RetrievalService,
  shared: Source,
  own: Source,
  sought: Sought,
): Promise<{ context: ContextEntry[]; sharedChunks: Set<string> }> {
  const { names, query } = namesIn(sought.query)
  const [theirs, mine] = await Promise.all([
    search(retrieval, shared, sought, query),
    search(retrieval, own, sought, query),
  ])
  const merged = (a: ContextEntry[], b: ContextEntry[]) => [...a, ...b].sort((x, y) => y.score - x.score)
  const found = merged(mine.found, theirs.found).slice(0, sought.limit)
  const context = withNamed(found, merged(mine.named, theirs.named), names)
  const ofShared = [...theirs.found, ...theirs.named].map(({ chunk_id }) => chunk_id)
  return { context, sharedChunks: new Set(ofShared) }
}
