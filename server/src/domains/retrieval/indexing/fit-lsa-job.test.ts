import { afterEach, expect, test } from 'vitest'
import { segmentOf } from '../segments/segment.ts'
import { encodeSegment } from '../segments/segment-bytes.ts'
import type { DocumentToProject, VectorStore } from '../store-vectors.ts'
import { createLsaUpdate } from './fit-lsa-job.ts'
import { createIndexingPool, IndexingLimitError, type IndexingPool } from './pool.ts'

const megabyte = 1024 * 1024
const words = ['wheel', 'engine', 'brake', 'road', 'sail', 'anchor', 'harbour', 'deck', 'tide', 'keel']
const { signal } = new AbortController()
const pools: IndexingPool[] = []

function open(limits: Parameters<typeof createIndexingPool>[0] = {}): IndexingPool {
  const pool = createIndexingPool(limits)
  pools.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

function documentsOf(count: number): DocumentToProject[] {
  return Array.from({ length: count }, (_, number) => {
    const chunks = Array.from({ length: 10 }, (_, row) => ({
      text: words.filter((_, place) => (number + row * 7 + place * 5) % 8 < 4).join(' '),
      headingPath: [],
    }))
    const segment = encodeSegment(segmentOf(`note ${number}.txt`, chunks))
    return { fileId: `file ${number}`, version: 1, segment }
  })
}

/** An encoded document of 20,000 chunks. */
function largeSegment(): Uint8Array {
  const chunks = Array.from({ length: 20_000 }, (_, row) => ({
    text: Array.from({ length: 20 }, (_, place) => `word${(row * 31 + place * 17) % 5_000}`).join(' '),
    headingPath: [],
  }))
  return encodeSegment(segmentOf('large.txt', chunks))
}

test('segments, fits and vectors are made in a child process', async () => {
  const pool = open()
  const chunks = [{ text: 'The lamp is blue.', headingPath: ['Hall'] }]
  const { bytes } = await pool.segment('lamp.txt', chunks)
  expect(Buffer.from(bytes).equals(encodeSegment(segmentOf('lamp.txt', chunks)))).toBe(true)
  const segments = documentsOf(6).map(({ segment }) => segment)
  const fitted = await pool.fitLsa(segments, signal)
  if (!fitted) throw new Error('there is no fit')
  const vectors = await pool.projectLsa(fitted.fit, segments, signal)
  expect(vectors.map(({ length }) => length)).toEqual(Array(6).fill(10 * fitted.dimensions))
})

test('a fit that exceeds the memory limit fails, and the next work succeeds', async () => {
  const pool = open({ maxMemoryBytes: 150 * megabyte })
  const segments = [largeSegment()]
  await expect(pool.fitLsa(segments, signal)).rejects.toThrow(IndexingLimitError)
  expect(await pool.segment('a.txt', [{ text: 'A lamp.', headingPath: [] }])).toMatchObject({ format: 1 })
})

test('a chat whose fit exceeds the limits is skipped until its size has changed much', async () => {
  const chat = { documents: documentsOf(6) }
  const tries: string[] = []
  const skipped: string[] = []
  const unavailable = () => Promise.reject(new Error('nothing may be written'))
  const vectors = {
    documentsToProject: async () => chat.documents,
    activeSpaces: async () => {
      tries.push('try')
      return []
    },
    addSpace: unavailable,
    addVectors: unavailable,
    activate: unavailable,
  } as Partial<VectorStore> as VectorStore
  const pool = open({ timeoutMs: 1 })
  const update = createLsaUpdate({ vectors, pool, onSkipped: (chatId) => skipped.push(chatId) })
  await update('chat', signal)
  await update('chat', signal)
  expect([tries.length, skipped]).toEqual([1, ['chat']])
  chat.documents = documentsOf(8)
  await update('chat', signal)
  expect(tries).toHaveLength(1)
  chat.documents = documentsOf(10)
  await update('chat', signal)
  expect([tries.length, skipped]).toEqual([2, ['chat', 'chat']])
})
