import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { guardFormula } from './export-format.ts'

const openings = ['=', '+', '-', '@', '\t', '\r', "'", '', 'a', '\n', ' ']
const text = fc
  .tuple(fc.constantFrom(...openings), fc.string({ unit: 'binary' }))
  .map((parts) => parts.join(''))

describe('the formula guard', () => {
  it('is undone by taking off one leading quote', () => {
    fc.assert(
      fc.property(text, (value) => {
        const guarded = guardFormula(value)
        expect(guarded.startsWith("'") ? guarded.slice(1) : guarded).toBe(value)
      }),
    )
  })

  it('leaves nothing that opens like a formula, and changes nothing else', () => {
    fc.assert(
      fc.property(text, (value) => {
        const guarded = guardFormula(value)
        expect(guarded).not.toMatch(/^[=+\-@\t\r]/)
        if (!/^[=+\-@\t\r']/.test(value)) expect(guarded).toBe(value)
      }),
    )
  })
})
