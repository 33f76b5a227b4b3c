import { ChatIndex, Query, Scratch, type SearchOptions, toUnitVectors } from '@cairn/server/bench/retrieval'
import { measureServer } from './retrieval-quality.ts'
import { createChat } from './support/chat.ts'
import {
  type Collection,
  documentsOf,
  loadCollections,
  loadParagraphs,
  measureQuality,
} from './support/collections.ts'
import { type Row, round } from './support/results.ts'
import { buildServer, productionServer, startServer, temporaryFolder } from './support/server.ts'

const scratch = new Scratch()
const textsPerCall = 100

/** A server with OpenAI's API, and the name of its embedding model. */
interface EmbeddingServer {
  url: string
  model: string
}

/** Rankers that are measured alone, on an index with one chunk per entry. */
const rankers = { words: { lexical: 1 }, vectors: { embedding: 1 } } satisfies Record<
  string,
  SearchOptions['weights']
>

/**
 * Ranking quality with an embedding model: words alone, vectors alone, and what `POST /v1/{chat_id}/search` returns.
 * The model comes from a server with OpenAI's API at `CAIRN_BENCH_EMBEDDINGS_URL`, by the name in
 * `CAIRN_BENCH_EMBEDDINGS_MODEL`.
 */
export async function benchRetrievalEmbeddings(): Promise<Row[]> {
  const { CAIRN_BENCH_EMBEDDINGS_URL: url, CAIRN_BENCH_EMBEDDINGS_MODEL: model } = process.env
  if (!url || !model) {
    throw new Error('set CAIRN_BENCH_EMBEDDINGS_URL and CAIRN_BENCH_EMBEDDINGS_MODEL')
  }
  const paragraphs = loadParagraphs()
  const collections = [...loadCollections(), ...(paragraphs ? [paragraphs] : [])]
  buildServer()
  const folder = temporaryFolder()
  const server = await startServer({
    command: productionServer,
    dataDir: folder.path,
    env: { COMPATIBLE_BASE_URL: url, CAIRN_EMBEDDING_MODEL: `compatible/${model}` },
  })
  const rows: Row[] = []
  let gained = 0
  for (const collection of collections) {
    const { name } = collection
    const alone = await measureAlone(collection, { url, model })
    const { quality } = await measureServer(await createChat(server.url), collection)
    const better = round(Math.max(alone.words, alone.vectors), 4)
    gained += (quality.ndcg10 - alone.words) / collections.length
    rows.push(
      { what: `${name}, words alone, nDCG@10`, value: round(alone.words, 4), unit: '' },
      { what: `${name}, vectors alone, nDCG@10`, value: round(alone.vectors, 4), unit: '' },
      { what: `${name}, nDCG@10`, value: round(quality.ndcg10, 4), unit: '', bar: { min: better } },
      { what: `${name}, recall@5`, value: round(quality.recall5, 4), unit: '' },
    )
  }
  await server.stop()
  folder.remove()
  return [
    ...rows,
    { what: 'mean gain over words alone', value: round(gained, 4), unit: '', bar: { min: 0.03 } },
  ]
}

async function measureAlone(
  collection: Collection,
  server: EmbeddingServer,
): Promise<Record<keyof typeof rankers, number>> {
  const { corpus, queries } = collection
  const index = new ChatIndex(scratch, documentsOf(collection))
  const chunks = await embed(
    server,
    corpus.map(({ title, text }) => (title ? `${title}\n\n${text}` : text)),
  )
  const dimensions = chunks[0]?.length ?? 0
  index.useSpace({ id: 'emb', kind: 'embedding', model: server.model, dimensions, chunkCount: 0 })
  for (const [at, { _id }] of corpus.entries()) index.setVectors(_id, chunks[at] ?? new Float32Array())
  const questions = await embed(
    server,
    queries.map(({ text }) => text),
  )
  const ndcg10 = (weights: SearchOptions['weights']) => {
    const found = queries.map(({ _id, text }, at): [string, string[]] => {
      const options = { limit: 10, ...(weights && { weights }), vector: questions[at] ?? new Float32Array() }
      return [_id, index.search(new Query(text), options).map(({ chunkId }) => chunkId)]
    })
    return measureQuality(collection, new Map(found)).ndcg10
  }
  return { words: ndcg10(rankers.words), vectors: ndcg10(rankers.vectors) }
}

/** Unit vectors of texts. */
async function embed({ url, model }: EmbeddingServer, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let start = 0; start < texts.length; start += textsPerCall) {
    const response = await fetch(`${url}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: texts.slice(start, start + textsPerCall) }),
    })
    if (!response.ok) throw new Error(`embeddings: ${response.status} ${await response.text()}`)
    const { data } = (await response.json()) as { data: { embedding: number[] }[] }
    for (const { embedding } of data) {
      vectors.push(toUnitVectors(Float32Array.from(embedding), embedding.length))
    }
  }
  return vectors
}
