import { expect, test } from 'vitest'
import { searchWords } from './follow-up.ts'

const history = ['Where does the ferry to Hiiumaa leave?', 'And when?', 'What does it cost?'].map(
  (question) => ({
    question,
    answer: 'x',
  }),
)

test('a question that says what it is about is searched for alone', () => {
  const question = 'Which bus goes from Kärdla to the lighthouse?'
  expect(searchWords(question, history)).toBe(question)
  expect(searchWords('How much is it?', [])).toBe('How much is it?')
})

test.each([
  'And for children?',
  'How much is it for children under seven?',
  'Bicycles?',
  'Is that the same in winter?',
])('one that leans on the conversation is searched for with it: %s', (question) => {
  expect(searchWords(question, history.slice(0, 1))).toBe(
    `Where does the ferry to Hiiumaa leave?\n${question}`,
  )
})

test('it goes back to the question that says what all are about, and no further than three', () => {
  expect(searchWords('Bicycles?', history)).toBe(
    [...history.map(({ question }) => question), 'Bicycles?'].join('\n'),
  )
  const longer = [
    { question: 'Something else entirely, long ago', answer: 'y' },
    ...history.slice(1),
    history[1],
  ]
  const words = searchWords(
    'Bicycles?',
    longer.filter((turn) => turn !== undefined),
  )
  expect(words).toBe('And when?\nWhat does it cost?\nAnd when?\nBicycles?')
})
