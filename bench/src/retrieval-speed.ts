import {
  ChatIndex,
  decodeSegment,
  encodeSegment,
  type IndexDocument,
  Query,
  Scratch,
  segmentOf,
  toUnitVectors,
} from '@cairn/server/bench/retrieval'
import { openChat } from './support/chat.ts'
import { median, quantile, type Row, round } from './support/results.ts'
import {
  buildServer,
  createTenant,
  productionServer,
  startServer,
  temporaryFolder,
} from './support/server.ts'

const scratch = new Scratch()

const dimensions = 384
const chunksPerDocument = 20
const words = 12_000
const wordsPerChunk = 130
const searches = 60

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ')

/** A word of two to four syllables. Some words are in most chunks; most words are in a few. */
function wordOf(random: () => number): string {
  let number = Math.floor(words * random() ** 3)
  let word = ''
  do {
    // Equal numbers give equal words; close numbers give words with different beginnings.
    word += syllables[number % syllables.length]
    number = Math.floor(number / syllables.length)
  } while (number > 0 || word.length < 4)
  return word
}

function textOf(random: () => number): string {
  return Array.from({ length: wordsPerChunk }, () => wordOf(random)).join(' ')
}

function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Sample {
  fileId: string
  segment: Uint8Array
  vectors: Float32Array
}

function sampleDocuments(chunks: number): Sample[] {
  const random = randomNumbers(1)
  return Array.from({ length: chunks / chunksPerDocument }, (_, index) => {
    const fields = Array.from({ length: chunksPerDocument }, () => ({
      text: textOf(random),
      headingPath: [],
    }))
    // The chunks of a document have the same topic.
    const topic = Float32Array.from({ length: dimensions }, () => random() - 0.5)
    const vectors = Float32Array.from(
      { length: chunksPerDocument * dimensions },
      (_, at) => (topic[at % dimensions] as number) + random() - 0.5,
    )
    return {
      fileId: `file-${index}`,
      segment: encodeSegment(segmentOf(`file-${index}.txt`, fields)),
      vectors: toUnitVectors(vectors, dimensions),
    }
  })
}

/** Loads an index from rows that were read from the database. */
function load(samples: readonly Sample[]): ChatIndex {
  const documents = samples.map(
    ({ fileId, segment }): IndexDocument => ({
      fileId,
      scopeValues: {},
      chunkIds: Array.from({ length: chunksPerDocument }, (_, order) => `${fileId}-${order}`),
      segment: decodeSegment(segment, scratch),
    }),
  )
  const index = new ChatIndex(scratch, documents)
  index.useSpace({ id: 's', kind: 'embedding', model: 'm', dimensions, chunkCount: 0 })
  for (const { fileId, vectors } of samples) index.setVectors(fileId, vectors)
  return index
}

/** Ids of the ten chunks with the highest cosine similarities, by brute force. */
function bruteForce(samples: readonly Sample[], query: Float32Array): string[] {
  const scored = samples.flatMap(({ fileId, vectors }) =>
    Array.from({ length: chunksPerDocument }, (_, order) => {
      let sum = 0
      for (let at = 0; at < dimensions; at++) {
        sum += (vectors[order * dimensions + at] as number) * (query[at] as number)
      }
      return { id: `${fileId}-${order}`, sum }
    }),
  )
  return scored
    .sort((a, b) => b.sum - a.sum)
    .slice(0, 10)
    .map(({ id }) => id)
}

function benchIndex(chunks: number, bars: { p50: number; load?: number }): Row[] {
  const samples = sampleDocuments(chunks)
  const loads: number[] = []
  let index = new ChatIndex(scratch)
  for (let turn = 0; turn < 5; turn++) {
    const began = performance.now()
    index = load(samples)
    loads.push(performance.now() - began)
  }
  const random = randomNumbers(2)
  const times: number[] = []
  let found = 0
  for (let search = 0; search < searches; search++) {
    const near = samples[Math.floor(random() * samples.length)]?.vectors.subarray(0, dimensions)
    const vector = toUnitVectors(
      Float32Array.from({ length: dimensions }, (_, at) => (near?.[at] ?? 0) + (random() - 0.5) / 20),
      dimensions,
    )
    const query = Array.from({ length: 8 }, () => wordOf(random)).join(' ')
    const asked = performance.now()
    index.search(new Query(query), { limit: 8, vector })
    times.push(performance.now() - asked)
    const exact = new Set(bruteForce(samples, vector))
    const nearest = index.search(new Query(query), { limit: 10, vector, weights: { embedding: 1 } })
    found += nearest.filter(({ chunkId }) => exact.has(chunkId)).length
  }
  const sorted = Float64Array.from(times).sort()
  const name = `${chunks.toLocaleString('en')} chunks × ${dimensions}`
  return [
    {
      what: `${name}: load, median of 5`,
      value: round(median(loads), 0),
      unit: 'ms',
      ...(bars.load && { bar: { max: bars.load } }),
    },
    { what: `${name}: the first load of a process`, value: round(loads[0] ?? 0, 0), unit: 'ms' },
    {
      what: `${name}: p50 of a search by words, spelling and vectors`,
      value: round(quantile(sorted, 0.5), 2),
      unit: 'ms',
      bar: { max: bars.p50 },
    },
    { what: `${name}: p95`, value: round(quantile(sorted, 0.95), 2), unit: 'ms' },
    {
      what: `${name}: recall@10 of the vectors against brute force`,
      value: found / searches / 10,
      unit: '',
      bar: { min: 1 },
    },
    { what: `${name}: memory of a chunk`, value: Math.round(index.bytes / chunks), unit: 'bytes' },
  ]
}

/** The first search after a start, which loads the index, and later searches. */
async function benchServerLoad(chunks: number): Promise<Row[]> {
  buildServer()
  const folder = temporaryFolder()
  const options = { command: productionServer, dataDir: folder.path }
  let server = await startServer(options)
  const { chatId, chatKey } = await createTenant(server.url)
  const random = randomNumbers(3)
  let stored = 0
  for (let file = 0; stored < chunks; file++) {
    const paragraphs = Array.from({ length: 500 }, () => textOf(random)).join('\n\n')
    stored += (await openChat(server.url, chatId, chatKey).upload(`file-${file}.txt`, paragraphs)).chunk_count
  }
  const query = () => Array.from({ length: 8 }, () => wordOf(random)).join(' ')
  await openChat(server.url, chatId, chatKey).search(query(), 8)
  // Vectors are computed in the background.
  await new Promise((resolve) => setTimeout(resolve, 30_000))
  await openChat(server.url, chatId, chatKey).search(query(), 8)
  await server.stop()
  server = await startServer(options)
  const chat = openChat(server.url, chatId, chatKey)
  const time = async () => {
    const asked = performance.now()
    await chat.search(query(), 8)
    return performance.now() - asked
  }
  const first = await time()
  const later: number[] = []
  for (let search = 0; search < searches; search++) later.push(await time())
  await server.stop()
  folder.remove()
  const sorted = Float64Array.from(later).sort()
  const name = `a chat of ${stored.toLocaleString('en')} chunks over HTTP`
  return [
    { what: `${name}: first search after a start`, value: round(first, 0), unit: 'ms', bar: { max: 400 } },
    { what: `${name}: p50 of a search`, value: round(quantile(sorted, 0.5), 1), unit: 'ms' },
    { what: `${name}: p95`, value: round(quantile(sorted, 0.95), 1), unit: 'ms', bar: { max: 15 } },
  ]
}

export async function benchRetrievalSpeed(): Promise<Row[]> {
  return [
    ...benchIndex(20_000, { p50: 5, load: 400 }),
    ...benchIndex(100_000, { p50: 25 }),
    ...(await benchServerLoad(20_000)),
  ]
}
