import {
  ChatIndex,
  fitLsa,
  projectSegment,
  Query,
  Scratch,
  type SearchOptions,
} from '@cairn/server/bench/retrieval'
import { type Chat, createChat } from './support/chat.ts'
import {
  type Collection,
  documentsOf,
  loadCollections,
  measureQuality,
  type Quality,
} from './support/collections.ts'
import { median, type Row, round } from './support/results.ts'
import { buildServer, productionServer, startServer, temporaryFolder } from './support/server.ts'

const scratch = new Scratch()

const bars: Record<string, { ndcg10?: number; recall5?: number }> = {
  cranfield: { ndcg10: 0.4 },
  cacm: { ndcg10: 0.49 },
  'cookbook-code': { recall5: 0.8 },
}

/** Rankers that are measured alone, on an index with one chunk per entry. */
const rankers: Record<string, SearchOptions['weights']> = {
  'words alone': { lexical: 1 },
  'spelling alone': { ngram: 1 },
  'LSA alone': { lsa: 1 },
  'words and spelling': { lexical: 0.6, ngram: 0.25 },
}

const uploadsAtOnce = 4

/** Ranking quality of `POST /v1/{chat_id}/search` on test collections with one file per entry, and of each ranker. */
export async function benchRetrievalQuality(): Promise<Row[]> {
  const collections = loadCollections()
  buildServer()
  const folder = temporaryFolder()
  const server = await startServer({ command: productionServer, dataDir: folder.path })
  const rows: Row[] = []
  for (const collection of collections) {
    const { quality, p50 } = await measureServer(await createChat(server.url), collection)
    rows.push(...rowsOf(collection.name, quality, p50), ...(await measureRankers(collection)))
  }
  await server.stop()
  folder.remove()
  return rows
}

export interface ServerQuality {
  quality: Quality
  /** Median time of a search over HTTP, in milliseconds. */
  p50: number
}

/** Uploads each entry as a file, waits for the vectors, and searches for each query. */
export async function measureServer(chat: Chat, collection: Collection): Promise<ServerQuality> {
  const ids = new Map<string, string>()
  const waiting = [...collection.corpus.entries()]
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [index, { _id, title, text }] = next
      const content = title ? `# ${title}\n\n${text}` : text
      const { file_id } = await chat.upload(`${index}.md`, content)
      ids.set(file_id, _id)
    }
  }
  await Promise.all(Array.from({ length: uploadsAtOnce }, work))
  await untilSettled(chat, collection)
  const found = new Map<string, string[]>()
  const times: number[] = []
  for (const { _id, text } of collection.queries) {
    const asked = performance.now()
    // A long entry has several chunks; its best chunk counts.
    const results = await chat.search(text, 30)
    times.push(performance.now() - asked)
    found.set(_id, [...new Set(results.map(({ file_id }) => ids.get(file_id) ?? ''))])
  }
  return { quality: measureQuality(collection, found), p50: median(times) }
}

function rowsOf(name: string, { ndcg10, recall5 }: Quality, p50: number): Row[] {
  const bar = bars[name]
  return [
    {
      what: `${name}, nDCG@10`,
      value: round(ndcg10, 4),
      unit: '',
      ...(bar?.ndcg10 && { bar: { min: bar.ndcg10 } }),
    },
    {
      what: `${name}, recall@5`,
      value: round(recall5, 4),
      unit: '',
      ...(bar?.recall5 && { bar: { min: bar.recall5 } }),
    },
    { what: `${name}, p50 of a search over HTTP`, value: round(p50, 1), unit: 'ms' },
  ]
}

/** Waits for the vectors, which arrive in the background and change the results. */
async function untilSettled(chat: Chat, { queries }: Collection): Promise<void> {
  const look = async () => JSON.stringify(await chat.search(queries[0]?.text ?? '', 100))
  let [before, same] = [await look(), 0]
  while (same < 6) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const now = await look()
    same = now === before ? same + 1 : 0
    before = now
  }
}

async function measureRankers(collection: Collection): Promise<Row[]> {
  const documents = documentsOf(collection)
  const index = new ChatIndex(scratch, documents)
  const fit = await fitLsa(documents.map(({ segment }) => segment))
  if (!fit) throw new Error('the collection is too small')
  index.useSpace({ id: 'lsa', kind: 'lsa', model: 'lsa', dimensions: fit.dimensions, fit, chunkCount: 0 })
  for (const { fileId, segment } of documents) index.setVectors(fileId, projectSegment(fit, segment))
  return Object.entries(rankers).flatMap(([ranker, weights]) => {
    const found = collection.queries.map(({ _id, text }): [string, string[]] => [
      _id,
      index.search(new Query(text), { limit: 10, ...(weights && { weights }) }).map(({ chunkId }) => chunkId),
    ])
    const { ndcg10, recall5 } = measureQuality(collection, new Map(found))
    return [
      { what: `${collection.name}, ${ranker}, nDCG@10`, value: round(ndcg10, 4), unit: '' },
      { what: `${collection.name}, ${ranker}, recall@5`, value: round(recall5, 4), unit: '' },
    ]
  })
}
