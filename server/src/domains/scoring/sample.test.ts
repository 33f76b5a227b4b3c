import { expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { isSampled, scoreIdOf } from './sample.ts'

const ids = Array.from({ length: 5000 }, (_, i) => newId('trc_', 1_700_000_000_000 + i))

it('contains about the requested share: all traces at 1, none at 0', () => {
  for (const rate of [0, 0.01, 0.25, 0.5, 0.9, 1]) {
    const share = ids.filter((id) => isSampled(id, rate)).length / ids.length
    expect(Math.abs(share - rate)).toBeLessThan(rate === 0 || rate === 1 ? 1e-12 : 0.03)
  }
})

it('contains every smaller sample', () => {
  const small = ids.filter((id) => isSampled(id, 0.1))
  expect(small.every((id) => isSampled(id, 0.2))).toBe(true)
})

it('the id of a score follows from its batch and its trace', () => {
  const made = new Set(ids.flatMap((id) => [scoreIdOf('scg_a', id), scoreIdOf('scg_b', id)]))
  expect(made.size).toBe(2 * ids.length)
  expect(scoreIdOf('scg_a', 'trc_1')).toBe(scoreIdOf('scg_a', 'trc_1'))
  for (const id of made) expect(id).toMatch(/^scr_[0-9a-z]{20}$/)
})
