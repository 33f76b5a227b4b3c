import { afterEach, expect, test, vi } from 'vitest'
import { FairQueue } from '../../../lib/fair-queue.ts'
import { ExtractionError } from './errors.ts'
import { fieldsOf, textOf } from './packing.ts'
import { samplePdf } from './pdf.test-samples.ts'
import { createExtractionPool, type ExtractionPool, type ExtractionPoolOptions } from './pool.ts'

const module = new URL('./pool.test-functions.ts', import.meta.url)
/** The built worker: its process starts in a tenth of the time. */
const builtWorker = new URL('../../../../dist/domains/documents/extraction/worker.js', import.meta.url)
const megabyte = 1024 * 1024
/** How long a task may fail because the machine is busy. */
const busyMs = 30_000
const pools: ExtractionPool[] = []

const refusal = () => new Error('refused')
const queue = (width: number) => new FairQueue({ width, maxWaiting: 10, refusal })
const tenant = ['project'] as const

function open(options: Partial<ExtractionPoolOptions> = {}): ExtractionPool {
  const pool = createExtractionPool({
    timeoutMs: 30_000,
    width: 3,
    maxMemoryBytes: 256 * megabyte,
    maxTextBytes: 8 * megabyte,
    quick: queue(2),
    long: queue(1),
    maxBytesPerProject: 64 * megabyte,
    ...options,
  })
  pools.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

test('extracts in a child process', async () => {
  const pool = open({ module: builtWorker })
  const page = [{ text: 'Hello', x: 72, y: 700 }]
  expect(textOf((await pool.extract(tenant, samplePdf([page]), 'a.pdf')).content)).toBe('Hello')
  const { content } = await pool.extract(tenant, new Uint8Array(Buffer.from('# Hi\n')), 'a.md')
  expect(fieldsOf(content)).toEqual([{ text: '# Hi', headingPath: ['Hi'] }])
  expect(content).toMatchObject({ chunkCount: 1, chunkIds: expect.stringMatching(/^chk_[0-9a-z]{20}$/) })
})

test('an error from a child process keeps its reason and message', async () => {
  const error = await open({ module: builtWorker })
    .extract(tenant, samplePdf([[]]), 'a.pdf')
    .catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ExtractionError)
  expect(error).toMatchObject({ reason: 'no_text', message: expect.stringContaining('OCR') })
})

test('an extraction that hangs is killed at the limit, and the next one works', async () => {
  const pool = open({ timeoutMs: 1000, module })
  await expect(pool.extract(tenant, new Uint8Array([1]), 'a.txt')).rejects.toMatchObject({
    reason: 'timeout',
    message: expect.stringContaining('1 s (CAIRN_PROCESSING_SECONDS)'),
  })
  // On a busy machine, even this file may exceed the limit.
  await vi.waitFor(async () => {
    expect(textOf((await pool.extract(tenant, new Uint8Array([0]), 'a.txt')).content)).toBe('fine')
  }, busyMs)
})

test('a child process that exits fails its own file, and the next file is read', async () => {
  const pool = open({ module })
  await expect(pool.extract(tenant, new Uint8Array([2]), 'a.txt')).rejects.toMatchObject({
    reason: 'malformed',
  })
  expect(textOf((await pool.extract(tenant, new Uint8Array([0]), 'a.txt')).content)).toBe('fine')
})

test('a child process that cannot load its code makes the file unavailable and keeps the cause', async () => {
  const pool = open({ module: new URL('./nothing-of-this-name.ts', import.meta.url) })
  await expect(pool.extract(tenant, new Uint8Array([0]), 'a.txt')).rejects.toMatchObject({
    reason: 'unavailable',
    cause: { message: expect.stringContaining('ERR_MODULE_NOT_FOUND') },
  })
})

test('unexpected errors and crashes are passed to onUnexpected', async () => {
  const reported: string[] = []
  const pool = open({ module, onUnexpected: ({ message }) => reported.push(message) })
  for (const fault of [0, 4, 2]) await pool.extract(tenant, new Uint8Array([fault]), 'a.txt').catch(() => {})
  expect(reported).toEqual(['TypeError\n    at x', 'the process ended with 3'])
})

test('a file that needs too much memory is malformed, and the next file is read', async () => {
  const pool = open({ module, maxMemoryBytes: 96 * megabyte })
  await expect(pool.extract(tenant, new Uint8Array([3]), 'a.txt')).rejects.toMatchObject({
    reason: 'malformed',
    message: expect.stringContaining('memory'),
  })
  expect(textOf((await pool.extract(tenant, new Uint8Array([0]), 'a.txt')).content)).toBe('fine')
})

test('a file with too much text is malformed, and the message names the limit', async () => {
  const pool = open({ module: builtWorker, maxTextBytes: 10_000 })
  await expect(pool.chunkText(tenant, 'ä'.repeat(6_000), 'a.txt')).rejects.toMatchObject({
    reason: 'malformed',
    message: expect.stringContaining('10000 bytes (CAIRN_MAX_TEXT_BYTES)'),
  })
})

test('files that take long leave places for files of other tenants', async () => {
  const pool = open({ module, timeoutMs: 120_000 })
  const slow = Array.from({ length: 4 }, (_, number) =>
    pool.extract(tenant, new Uint8Array([1, number]), 'slow.txt').catch((error: unknown) => error),
  )
  const others = Array.from({ length: 4 }, (_, number) =>
    pool.extract(['other', `user ${number}`], new Uint8Array([0]), 'a.txt'),
  )
  expect((await Promise.all(others)).map(({ content }) => textOf(content))).toEqual(Array(4).fill('fine'))
  // Now three slow files have all places; the file that started last gives its place back.
  expect(textOf((await pool.extract(['third'], new Uint8Array([0]), 'a.txt')).content)).toBe('fine')
  await pool.close()
  expect(await Promise.all(slow)).toEqual(Array(4).fill(expect.objectContaining({ reason: 'unavailable' })))
})

test('a file that needs more than its first try gets longer tries, and does not wait behind files that never end', async () => {
  const pool = open({ module, quick: queue(1), width: 2, timeoutMs: 120_000 })
  const endless = ['one', 'two', 'three'].map((user) =>
    pool.extract(['other', user], new Uint8Array([1]), 'slow.txt').catch((error: unknown) => error),
  )
  const { content } = await pool.extract(['other', 'four'], new Uint8Array([5]), 'a.txt')
  expect(textOf(content)).toBe('fine')
  await pool.close()
  expect(await Promise.all(endless)).toEqual(
    Array(3).fill(expect.objectContaining({ reason: 'unavailable' })),
  )
})

test('files of one project that are too large together are rejected; files of other projects are not', async () => {
  const pool = open({ module, maxBytesPerProject: 1_000 })
  const leaving = new AbortController()
  const options = { signal: leaving.signal }
  const first = pool.extract(tenant, new Uint8Array(900).fill(1), 'a.txt', options).catch(() => {})
  await expect(pool.extract(tenant, new Uint8Array(200), 'a.txt')).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('CAIRN_MAX_WAITING_FILE_BYTES'),
    retryAfter: expect.any(Number),
  })
  await pool.extract(['other'], new Uint8Array(2_000), 'a.txt')
  leaving.abort()
  await first
  await pool.extract(tenant, new Uint8Array(200), 'a.txt')
})

test('a client disconnect removes its waiting file and ends the reading of its running file', async () => {
  const quick = queue(1)
  const pool = open({ module, quick, timeoutMs: 60_000 })
  const client = new AbortController()
  const slow = pool.extract(tenant, new Uint8Array([1]), 'a.txt', { signal: client.signal })
  const waiting = pool.extract(tenant, new Uint8Array([0]), 'b.txt', { signal: client.signal })
  client.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(slow).rejects.toThrow('gone')
  expect(quick.status()).toMatchObject({ running: 0, waiting: 0 })
})

test('a pool that was never used can be closed', async () => {
  await open().close()
})
