import { expect, test } from 'vitest'
import { processorMs } from '../../../lib/processor-time.test-support.ts'
import { packTerms, TermTable } from './term-table.ts'

test('terms get the numbers of their first occurrence', () => {
  const table = new TermTable()
  expect([...table.resolve(packTerms(['pear', 'plum', 'pear']))]).toEqual([0, 1, 0])
  expect([...table.resolve(packTerms(['fig', 'plum']))]).toEqual([2, 1])
  expect(table.find('fig')).toBe(2)
  expect(table.find('date')).toBeUndefined()
})

test('terms that somebody chose for equal hashes are still added quickly', async () => {
  const count = 20_000
  // The factor of MurmurHash3. With a known factor and start, the second half of a term can cancel the first one.
  const afterFirst = (half: number) => {
    const hash = Math.imul(8 ^ half, 0xcc9e2d51)
    return hash ^ (hash >>> 15)
  }
  const halves = Uint32Array.from({ length: 2 * count }, (_, at) =>
    at % 2 === 0 ? at : afterFirst(at - 1) ^ 0x6b6b6b6b,
  )
  const chosen = {
    bytes: new Uint8Array(halves.buffer),
    ends: Uint32Array.from({ length: count }, (_, at) => 8 * (at + 1)),
  }
  const table = new TermTable()
  expect(await processorMs(() => table.resolve(chosen))).toBeLessThan(300)
  expect(table.count).toBe(count)
})
