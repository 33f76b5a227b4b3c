import { afterEach, expect, test } from 'vitest'
import { fieldsOf, textOf } from '../packing.ts'
import { ExtractionError } from './errors.ts'
import { samplePdf } from './pdf.test-samples.ts'
import { createExtractionPool, type ExtractionPool, type ExtractionPoolOptions } from './pool.ts'

const workerUrl = new URL('./pool.test-worker.ts', import.meta.url)
const pools: ExtractionPool[] = []

function open(options: ExtractionPoolOptions = {}): ExtractionPool {
  const pool = createExtractionPool(options)
  pools.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

test('extracts in a worker thread', async () => {
  const pool = open()
  const page = [{ text: 'Hello', x: 72, y: 700 }]
  expect(textOf((await pool.extract(samplePdf([page]), 'a.pdf')).content)).toBe('Hello')
  const { content } = await pool.extract(new Uint8Array(Buffer.from('# Hi\n')), 'a.md')
  expect(fieldsOf(content)).toEqual([{ text: '# Hi', headingPath: ['Hi'] }])
  expect(content).toMatchObject({ chunkCount: 1, chunkIds: expect.stringMatching(/^chk_[0-9a-z]{20}$/) })
})

test('reason and message of an error survive the thread boundary', async () => {
  const error = await open()
    .extract(samplePdf([[]]), 'a.pdf')
    .catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ExtractionError)
  expect(error).toMatchObject({ reason: 'no_text', message: expect.stringContaining('OCR') })
})

test('an extraction that hangs is killed at the limit, and the next one works', async () => {
  const pool = open({ timeoutMs: 1000, maxThreads: 1, workerUrl })
  const started = performance.now()
  await expect(pool.extract(new Uint8Array([1]), 'a.txt')).rejects.toMatchObject({ reason: 'timeout' })
  expect(performance.now() - started).toBeLessThan(3000)
  expect(textOf((await pool.extract(new Uint8Array([0]), 'a.txt')).content)).toBe('fine')
  // The endless loop would go on using a whole core if its thread were still there.
  const before = process.cpuUsage()
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(process.cpuUsage(before).user).toBeLessThan(300_000)
})

test('a thread that dies is failed, not an endless wait', async () => {
  await expect(open({ workerUrl }).extract(new Uint8Array([2]), 'a.txt')).rejects.toMatchObject({
    reason: 'failed',
  })
})

test('too much memory is malformed, and the process lives on', async () => {
  const pool = open({ workerUrl, maxMemoryMb: 32 })
  await expect(pool.extract(new Uint8Array([3]), 'a.txt')).rejects.toMatchObject({
    reason: 'malformed',
    message: expect.stringContaining('memory'),
  })
  expect(textOf((await pool.extract(new Uint8Array([0]), 'a.txt')).content)).toBe('fine')
}, 20_000)

test('closing a pool that never ran is quick', async () => {
  await createExtractionPool().close()
})
