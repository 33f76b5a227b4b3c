import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { DatabaseError, statementTimeout } from './database-error.ts'
import { FairQueue } from './fair-queue.ts'
import { type Scan, Scans } from './scans.ts'

const refusal = () => new Error('the scan takes too long')

function scansOn(limitMs = 60_000, maxWaiting = 100) {
  const full = () => new Error('too many wait')
  const queue = new FairQueue({ width: 1, maxWaiting, refusal: full })
  return { queue, scans: new Scans({ queue, limitMs, refusal }) }
}

/** Reads numbers in descending order to 1, like an index. */
function scanNumbers(scan: Scan, from: number, read: (slice: number[]) => Promise<unknown> | unknown) {
  return scan.eachSlice<number>({
    after: from + 1,
    boundary: async (after = 0, rows) => (after - rows >= 1 ? after - rows : undefined),
    read: async (after = 0, last = 1) => {
      await read(Array.from({ length: after - last }, (_, index) => after - 1 - index))
      return false
    },
  })
}

describe('a scan', () => {
  it('reads each row once, in order, in slices that grow while they are quick', async () => {
    const seen: number[] = []
    const lengths: number[] = []
    await scanNumbers(scansOn().scans.begin(['a']), 40_000, (slice) => {
      seen.push(...slice)
      lengths.push(slice.length)
    })
    expect(seen).toEqual(Array.from({ length: 40_000 }, (_, index) => 40_000 - index))
    expect(Math.max(...lengths)).toBeGreaterThan(lengths[0] ?? 0)
  })

  it('reads fewer rows at a time after the database has ended a slow statement', async () => {
    const seen: number[] = []
    await scanNumbers(scansOn().scans.begin(['a']), 2000, (slice) => {
      if (slice.length > 100) throw new DatabaseError('too long', statementTimeout)
      seen.push(...slice)
    })
    expect(seen).toHaveLength(2000)
    expect(new Set(seen).size).toBe(2000)
  })

  it('is rejected if the database takes too long for a single row', async () => {
    const tooLong = () => {
      throw new DatabaseError('too long', statementTimeout)
    }
    await expect(scanNumbers(scansOn().scans.begin(['a']), 10, tooLong)).rejects.toThrow(
      'the scan takes too long',
    )
  })

  it('lets other tenants run after each slice', async () => {
    const { scans } = scansOn()
    const turns: string[] = []
    const read = (tenant: string) =>
      scanNumbers(scans.begin([tenant]), 40_000, async () => {
        turns.push(tenant)
        await pause(2)
      })
    await Promise.all([read('a'), read('a'), read('a'), read('b')])
    expect(
      turns
        .slice(turns.indexOf('b'))
        .slice(0, 6)
        .filter((tenant) => tenant === 'b'),
    ).toHaveLength(3)
  })

  it('has a time limit that counts its slices, not its waiting', async () => {
    const { scans, queue } = scansOn(100)
    const { promise, resolve } = Promise.withResolvers<void>()
    const other = queue.run(['b'], () => promise)
    const waiting = scanNumbers(scans.begin(['a']), 1000, () => {})
    await pause(150)
    resolve()
    await Promise.all([other, waiting])
    const slow = scanNumbers(scans.begin(['a']), 1000, () => pause(150))
    await expect(slow).rejects.toThrow('the scan takes too long')
  })

  it('is rejected at its first slice, or never', async () => {
    const { scans } = scansOn(60_000, 1)
    const scan = () => scanNumbers(scans.begin(['a']), 40_000, () => pause(1))
    const [first, second, third] = [scan(), scan(), scan()]
    await expect(third).rejects.toThrow('too many wait')
    await Promise.all([first, second])
  })

  it('ends before its next slice after its client disconnects', async () => {
    const gone = new AbortController()
    let slices = 0
    const scan = scanNumbers(scansOn().scans.begin(['a'], { signal: gone.signal }), 40_000, () => {
      slices += 1
      if (slices === 2) gone.abort(new Error('the client has gone'))
    })
    await expect(scan).rejects.toThrow('the client has gone')
    expect(slices).toBe(2)
  })
})
