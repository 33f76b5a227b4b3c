import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexable, indexableOrNull } from './indexable.ts'
import { storable } from './storable.ts'

const character = fc.constantFrom('a', '\0', '\ud800', '🦉', 'é', '漢')
const text = fc
  .oneof(
    fc.array(character, { maxLength: 30 }),
    fc.array(character, { minLength: 150, maxLength: 210 }),
    fc.array(character, { minLength: 195, maxLength: 202 }),
  )
  .map((characters) => characters.join(''))

describe('text as an index key', () => {
  it('is short enough for PostgreSQL, and contains nothing that PostgreSQL rejects', () => {
    fc.assert(
      fc.property(text, (value) => {
        const key = indexable(value)
        expect(Buffer.byteLength(key)).toBeLessThanOrEqual(600)
        expect(key.isWellFormed()).toBe(true)
        expect(key).not.toContain('\0')
      }),
    )
  })

  it('is unchanged up to 200 characters, and is found by the displayed key', () => {
    fc.assert(
      fc.property(text, (value) => {
        const key = indexable(value)
        if (value.length <= 200) expect(key).toBe(storable(value))
        expect(indexable(key)).toBe(key)
      }),
    )
  })

  it('differs if texts differ anywhere', () => {
    const long = 'x'.repeat(5000)
    const texts = [long, `${long}1`, `${long}2`, `1${long}`, 'x'.repeat(200), 'x'.repeat(201)]
    expect(new Set(texts.map(indexable)).size).toBe(texts.length)
  })

  it('is null for null, and empty for an empty text', () => {
    expect([indexableOrNull(null), indexableOrNull(undefined), indexableOrNull('')]).toEqual([null, null, ''])
  })
})
