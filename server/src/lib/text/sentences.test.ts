import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorMs } from '../processor-time.test-support.ts'
import { splitSentences } from '../text.ts'

const split = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end))

test('offsets are exact: in order, trimmed, and together everything but white space', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom('. ', '\n', '\n\n', 'Dr. ', '- ', '  ', '。', '!? ', 'A. B. '),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      let end = 0
      for (const range of splitSentences(text)) {
        expect(text.slice(end, range.start).trim()).toBe('')
        expect(range.end).toBeGreaterThan(range.start)
        const sentence = text.slice(range.start, range.end)
        expect(sentence.trim()).toBe(sentence)
        end = range.end
      }
      expect(text.slice(end).trim()).toBe('')
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['plain sentences', 'One two. Three four! Five? Six.', ['One two.', 'Three four!', 'Five?', 'Six.']],
  [
    'abbreviations and initials',
    'Dr. J. R. Smith et al. Went home, e.g. Monday. Then slept.',
    ['Dr. J. R. Smith et al. Went home, e.g. Monday.', 'Then slept.'],
  ],
  [
    'decimals and versions',
    'It cost 3.50 euros in v1.2. It was fine.',
    ['It cost 3.50 euros in v1.2.', 'It was fine.'],
  ],
  ['closing quotes', 'He said "Stop." Then he left.', ['He said "Stop."', 'Then he left.']],
  ['no space after CJK stops', '今日は晴れ。明日は雨。', ['今日は晴れ。', '明日は雨。']],
  [
    'list items',
    '- one thing\n- other thing\n1. first\n2. second',
    ['- one thing', '- other thing', '1. first', '2. second'],
  ],
  [
    'table rows, whatever stops are in them',
    'Owner:  David w. Hill  Seats:  2\nMake:  Piper',
    ['Owner:  David w. Hill  Seats:  2', 'Make:  Piper'],
  ],
  [
    'two spaces after a stop are no table',
    'One two three.  Four five six.',
    ['One two three.', 'Four five six.'],
  ],
  ['short lines', 'Annual report\nResults\nAll good', ['Annual report', 'Results', 'All good']],
])('%s', (_, text, sentences) => {
  expect(split(text)).toEqual(sentences)
})

test('a sentence wrapped over lines is one', () => {
  const text =
    'The airplane was destroyed upon impact with terrain in the area of Mesa de las\nTablas, near Arteaga. The pilot was hurt.'
  expect(split(text)).toEqual([text.slice(0, text.indexOf(' The pilot')), 'The pilot was hurt.'])
})

test('two megabytes take well under a second', async () => {
  const text = 'The quick brown fox jumps over the lazy dog near the mill. '.repeat(35_000)
  const work = () => expect(splitSentences(text)).toHaveLength(35_000)
  expect(await processorMs(work)).toBeLessThan(1000)
})
