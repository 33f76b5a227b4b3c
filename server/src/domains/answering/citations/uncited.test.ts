import { expect, test } from 'vitest'
import { countCitedSentences } from './uncited.ts'

test.each([
  ['Nine [^0]. Ten [^2].', 2, 0],
  ['Nine of them.[^0] Ten of them. [^0][^1] More.', 3, 1],
  ['It costs 2.50 euros, says Dr. Ng [^1].', 1, 0],
  ['The documents do not tell.', 1, 1],
  ['# Fees\n\nThe fees are:\n\n- a card: 5 euros [^0]\n- a locker: 2 euros', 2, 1],
  ['Run it:\n\n```\nnpm start. Then wait.\n```\n\nIt listens.[^0]', 1, 0],
  ['“It is nine.” [^0] Ten!', 2, 1],
  ['', 0, 0],
])('sentences without a citation are counted: %j', (answer, sentences, uncited) => {
  expect(countCitedSentences(answer)).toEqual({ sentences, uncited })
})

test('a long answer of odd characters is counted', () => {
  const answer = `${'`'.repeat(50_000)}\n${'`'.repeat(50_000)}\n${'.]'.repeat(20_000)}\n${'A word. [^0] '.repeat(2_000)}`
  expect(countCitedSentences(answer).sentences).toBeGreaterThan(1_000)
})
