import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CitationGuard } from './citation-guard.ts'

/** The output of a guard for a context of `length` entries: as a whole, and piece by piece. */
function guarded(pieces: readonly string[], length = 3): { text: string; outs: string[]; cited: number[] } {
  const guard = new CitationGuard(length)
  const outs = [...pieces.map((piece) => guard.feed(piece)), guard.end()]
  return { text: outs.join(''), outs, cited: guard.cited }
}

test.each([
  ['Nine [^0]. Ten [^2].', 'Nine [^0]. Ten [^2].'],
  ['Nine [^3]. Ten [^99] and [^1000000000000000000000].', 'Nine. Ten and.'],
  ['a [^99][^1] b', 'a [^1] b'],
  ['a [^1][^99] b', 'a [^1] b'],
  ['[^0, 2]', '[^0][^2]'],
  ['[^0, 7; ^1]', '[^0][^1]'],
  ['[^ 2 ] [^02]', '[^2] [^2]'],
  ['[^-1] [^a] [^] [ ^7] [7]', '[^-1] [^a] [^] [ ^7] [7]'],
  ['[^٣] [^９] [^𝟗]', ''],
  ['[[^99]^5]', '[ ^5]'],
  ['[^[^99]5]', '5]'],
  ['[^1[^99]', ''],
  ['[^9[^1]9]', '[^1]9]'],
  [`x [^${'1'.repeat(500)}] y`, 'x y'],
  ['ends [^1', 'ends'],
  ['ends [^', 'ends'],
  ['ends [', 'ends ['],
  ['ends ', 'ends '],
  ['\\[^99] a', '\\ a'],
  ['', ''],
])('%j becomes %j', (text, expected) => {
  expect(guarded([text]).text).toBe(expected)
  expect(guarded([...text]).text).toBe(expected)
})

test.each([
  'the class `[^99]` and ``a ` [^98]`` end',
  '```js\nx = /[^99]/\n```\nend',
  '- item\n  ```\n  [^99]\n  ```\n',
  '> ~~~\n> [^99]\n> ~~~\n',
  '````\n```\n[^99]\n````\n',
  '``` [^99] ```',
  '```\n[^99] is never closed',
])('code is not changed: %j', (text) => {
  expect(guarded([text]).text).toBe(text)
  expect(guarded([...text])).toMatchObject({ text, cited: [] })
})

test.each([
  ['a ` that is alone [^99]\n', 'a ` that is alone\n'],
  ['one `code` then [^99] more', 'one `code` then more'],
  ['`` open [^99] ` closed', '`` open ` closed'],
  ['\\`[^99]\\`', '\\`\\`'],
  ['```\n[^98]\n```\n[^99] after', '```\n[^98]\n```\n after'],
  ['` [^1] [^99]', '` [^1]'],
  ['x ``` [^99]\n[^99]', 'x ```\n'],
  ['~~ [^99]', '~~'],
  ['``` a `` b\n[^99] c', '``` a `` b\n c'],
])('text that only looks like code is filtered: %j', (text, expected) => {
  expect(guarded([text]).text).toBe(expected)
  expect(guarded([...text]).text).toBe(expected)
})

test('cited numbers are collected, without numbers in code and dropped numbers', () => {
  expect(guarded(['b [^2] a [^0, 2] `[^1]` [^9]']).cited).toEqual([2, 0])
})

test('only text that may be a marker is held back', () => {
  const { outs } = guarded(['Nine', ' in', ' the', ' [', 'x] `co', 'de [^1', '] [^9', '] more', '` end'])
  expect(outs).toEqual(['Nine', ' in', ' the', '', ' [x] `co', 'de', ' [^1]', '', ' [^9] more` end', ''])
})

const letters = fc.constantFrom(...'[[[^^^]]]0129٣ ,;x.\n-', '𝟗', '[^1]', '[^7]', '[^')
const codeLetters = fc.oneof(letters, fc.constantFrom('`', '`', '``', '```', '~~~', '\\', '\n```\n', '>'))

/** Splits a text into pieces. */
function split(text: string, cuts: readonly number[]): string[] {
  const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
  return at.slice(1).map((end, index) => text.slice(at[index], end))
}

test('the output does not depend on how the text is split', () => {
  const texts = fc.array(codeLetters, { maxLength: 60 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, fc.array(fc.nat(), { maxLength: 12 }), fc.nat(4), (text, cuts, length) => {
      const whole = guarded([text], length)
      const pieces = guarded(split(text, cuts), length)
      expect({ text: pieces.text, cited: pieces.cited }).toEqual({ text: whole.text, cited: whole.cited })
    }),
    { numRuns: 5000 },
  )
})

test('outside of code, the output has only markers into the context, and `cited` has their numbers', () => {
  const texts = fc.array(letters, { maxLength: 60 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, fc.nat(4), (text, length) => {
      const { text: out, cited } = guarded([...text], length)
      const inside = [...out.matchAll(/\[\^([\p{Nd}\t ,;^]*\p{Nd}[\p{Nd}\t ,;^]*)\]/gu)].map(
        ([, number]) => number,
      )
      for (const number of inside) expect(number).toMatch(/^\d$/)
      expect([...new Set(inside.map(Number))]).toEqual(cited)
      for (const number of cited) expect(number).toBeLessThan(length)
    }),
    { numRuns: 5000 },
  )
})

test('text without a bracket is not changed', () => {
  const plain = fc.string({ unit: 'grapheme', maxLength: 80 }).filter((text) => !text.includes('['))
  fc.assert(
    fc.property(plain, (text) => {
      expect(guarded([...text]).text).toBe(text)
      expect(guarded(text.split('')).text).toBe(text)
    }),
  )
})
