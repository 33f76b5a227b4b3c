import { expect, test } from 'vitest'
import { searchText } from './follow-up.ts'

const history = ['Where does the ferry to Hiiumaa leave?', 'And when?', 'What does it cost?'].map(
  (question) => ({
    question,
    answer: 'x',
  }),
)

test('an independent question is searched alone', () => {
  const question = 'Which bus goes from Kärdla to the lighthouse?'
  expect(searchText(question, history)).toBe(question)
  expect(searchText('How much is it?', [])).toBe('How much is it?')
})

test.each([
  'And for children?',
  'How much is it for children under seven?',
  'Bicycles?',
  'Is that the same in winter?',
])('a question that depends on the conversation is searched together with it: %s', (question) => {
  expect(searchText(question, history.slice(0, 1))).toBe(
    `Where does the ferry to Hiiumaa leave?\n${question}`,
  )
})

test('the search includes questions back to the first independent one, at most three', () => {
  expect(searchText('Bicycles?', history)).toBe(
    [...history.map(({ question }) => question), 'Bicycles?'].join('\n'),
  )
  const longer = [
    { question: 'Something else entirely, long ago', answer: 'y' },
    ...history.slice(1),
    history[1],
  ]
  const words = searchText(
    'Bicycles?',
    longer.filter((turn) => turn !== undefined),
  )
  expect(words).toBe('And when?\nWhat does it cost?\nAnd when?\nBicycles?')
})
