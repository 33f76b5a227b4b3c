import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLine, guardFormula } from './export-format.ts'

const openings = ['=', '+', '-', '@', '\t', '\r', "'", '', 'a', '\n', ' ']
const text = fc
  .tuple(fc.constantFrom(...openings), fc.string({ unit: 'binary' }))
  .map((parts) => parts.join(''))

describe('the formula guard', () => {
  it('is undone if one leading quote is removed', () => {
    fc.assert(
      fc.property(text, (value) => {
        const guarded = guardFormula(value)
        expect(guarded.startsWith("'") ? guarded.slice(1) : guarded).toBe(value)
      }),
    )
  })

  it('leaves no text that starts like a formula, and changes no other text', () => {
    fc.assert(
      fc.property(text, (value) => {
        const guarded = guardFormula(value)
        expect(guarded).not.toMatch(/^[=+\-@\t\r]/)
        if (!/^[=+\-@\t\r']/.test(value)) expect(guarded).toBe(value)
      }),
    )
  })
})

describe('a line of CSV', () => {
  const cell = fc.oneof(
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', ' ', 'a', 'ü', '\0', ';', '\t') }),
  )

  it('equals the output of csv-stringify, which is slower', () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), (cells) => {
        const options = { record_delimiter: 'windows', quote_record_delimiter: true } as const
        expect(csvLine(cells)).toBe(stringify([cells], options))
      }),
    )
  })
})
