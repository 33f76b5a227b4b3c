import { describe, expect, test } from 'vitest'
import { isStopWord, stem, tokenize } from '../text.ts'

describe('tokenize', () => {
  test.each([
    [
      'words in lower case, stop words left out, endings removed',
      'The Pilots were LANDING again',
      'pilot land',
    ],
    ['possessives as the word', "the pilot's and the pilot’s error", 'pilot pilot error'],
    ['accents and compatibility forms folded', 'Café CAFE\u0301 ﬁle Ⅷ naïve', 'cafe cafe file viii naiv'],
    ['snake case with parts and whole', 'both_require', 'requir bothrequir'],
    [
      'camel case with parts and whole',
      'DiffExecutor HTTPServer',
      'diff executor diffexecutor http server httpserver',
    ],
    ['letters and digits with parts and whole', 'N5921D O360', 'n 5921 d n5921d o 360 o360'],
    ['codes with parts and whole', 'PA-22-150', 'pa 22 150 pa22150'],
    ['hyphenated words as words', 'well-known fact', 'well known fact'],
    ['thousands separators gone', '2,319 hours, 1,234,567.5', '2319 hour 1234567.5'],
    ['degrees and currency as numbers', '290° and €15', '290 15'],
    ['scripts without spaces as pairs', '日本語 と', '日本 本語 と'],
    ['mixed scripts apart', 'Windows版', 'window 版'],
    ['other alphabets', 'Ελλάδα Москва हिन्दी', 'ελλαδα москва हिन्दी'],
  ])('%s', (_, text, terms) => {
    expect(tokenize(text).join(' ')).toBe(terms)
  })

  test('ASCII text gives the same terms when something beyond ASCII stands beside it', () => {
    const text = 'Run run_target() of v1.2.3, PA-22-150 and 2,319.5 (a/b) SIGNALS_PTR x_ _y 3rd'
    expect(tokenize(`${text} é`)).toEqual([...tokenize(text), 'e'])
  })

  test('the same text gives the same terms whichever form its accents have', () => {
    expect(tokenize('Besançon'.normalize('NFD'))).toEqual(tokenize('Besançon'.normalize('NFC')))
  })

  test('nothing to find gives nothing', () => {
    expect(tokenize(' \n -- the and ')).toEqual([])
  })

  test('endless words are cut, not refused', () => {
    expect(tokenize('x'.repeat(1_000_000)).every((term) => term.length <= 64)).toBe(true)
  })
})

test('stemming leaves words of other alphabets alone', () => {
  expect([stem('landing'), stem('flüge'), isStopWord('the'), isStopWord('pilot')]).toEqual([
    'land',
    'flüge',
    true,
    false,
  ])
})
