import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId, newOpaqueId, newSecret } from './ids.ts'

describe('newId', () => {
  it('sorts by time to the millisecond', () => {
    const time = fc.integer({ min: 0, max: 36 ** 9 - 1 })
    fc.assert(
      fc.property(time, time, (a, b) => {
        const [first, second] = [newId('x_', Math.min(a, b)), newId('x_', Math.max(a, b))]
        expect(first).toMatch(/^x_[0-9a-z]{20}$/)
        expect(a === b || first < second).toBe(true)
      }),
    )
  })

  it('sorts ids of one millisecond in order of creation, and never repeats one', () => {
    const ids = Array.from({ length: 100_000 }, () => newId('', 1_700_000_000_000))
    expect(ids.findIndex((id, i) => i > 0 && id <= (ids[i - 1] ?? ''))).toBe(-1)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('stays unique if the clock moves back and forth', () => {
    const ids = Array.from({ length: 10_000 }, (_, i) => newId('', i % 3))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('newOpaqueId', () => {
  it('is 26 random characters after the prefix, each of the 32 in every position', () => {
    const ids = Array.from({ length: 2000 }, () => newOpaqueId('x_'))
    for (const id of ids) expect(id).toMatch(/^x_[0-9a-hjkmnp-tv-z]{26}$/)
    for (let at = 2; at < 28; at++) expect(new Set(ids.map((id) => id[at])).size).toBe(32)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('newSecret', () => {
  it('is 192 bits in hexadecimal, new every time', () => {
    const secrets = Array.from({ length: 1000 }, newSecret)
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{48}$/)
    expect(new Set(secrets).size).toBe(1000)
  })
})
