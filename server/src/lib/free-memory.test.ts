import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { FreeMemory } from './free-memory.ts'

const megabyte = 1024 * 1024

/** Keeps every hundredth of 10,000 blocks of 8 KB, so that the others lie free between blocks in use. */
const scatter = `
  import { loadMallocTrim } from '${new URL('free-memory.ts', import.meta.url)}'
  const trim = await loadMallocTrim()
  let blocks = Array.from({ length: 10_000 }, () => Buffer.allocUnsafeSlow(8192).fill(1))
  const before = process.memoryUsage.rss()
  blocks = blocks.filter((_, index) => index % 100 === 0)
  gc()
  // Threads free the blocks after the collection.
  for (let tries = 0; tries < 50 && before - process.memoryUsage.rss() < ${40 * megabyte}; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    await trim()
  }
  console.log(JSON.stringify({ before, after: process.memoryUsage.rss(), kept: blocks.length }))
`

describe('free memory', () => {
  it('is returned once the process has grown by 24 MB, and again after the next 24 MB', async () => {
    let resident = 100 * megabyte
    const trimmed: number[] = []
    const trim = async () => {
      trimmed.push(resident / megabyte)
      resident -= 10 * megabyte
    }
    const free = new FreeMemory({ resident: () => resident, trim })
    for (const size of [100, 123, 124, 114, 137, 138, 128, 60, 83, 84]) {
      resident = size * megabyte
      await free.check()
    }
    expect(trimmed).toEqual([124, 138, 84])
  })

  it('is not returned twice at the same time', async () => {
    let resident = 0
    let calls = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const trim = () => {
      calls++
      return promise
    }
    const free = new FreeMemory({ resident: () => resident, trim })
    resident = 100 * megabyte
    const first = free.check()
    await free.check()
    expect(calls).toBe(1)
    resolve()
    await first
  })

  it('goes back to the system where the C library is glibc', async ({ skip }) => {
    const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
    if (header.glibcVersionRuntime === undefined) skip('needs glibc')
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--expose-gc',
      '--input-type=module',
      '--eval',
      scatter,
    ])
    const { before, after } = JSON.parse(stdout) as { before: number; after: number }
    expect(before - after).toBeGreaterThan(30 * megabyte)
  })
})
