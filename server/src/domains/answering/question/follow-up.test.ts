import { expect, test } from 'vitest'
import { completeQuestion } from './follow-up.ts'

const history = ['Where does the ferry to Hiiumaa leave?', 'And when?', 'What does it cost?'].map(
  (question) => ({ question, answer: 'x' }),
)
const complete = (question: string, previous: string, answer: string) =>
  completeQuestion(question, [{ question: previous, answer }])

test('an independent question is unchanged', () => {
  const question = 'Which bus goes from Kärdla to the lighthouse?'
  expect(completeQuestion(question, history)).toEqual({ text: question, takenOver: [] })
  expect(completeQuestion('How much is it?', [])).toEqual({ text: 'How much is it?', takenOver: [] })
})

test.each([
  'And for children?',
  'How much is it for children under seven?',
  'Bicycles?',
  'Is that the same in winter?',
])('a question that depends on the conversation has the words of both: %s', (question) => {
  const { text, takenOver } = completeQuestion(question, history.slice(0, 1))
  for (const word of question
    .replace(/^And|\bit\b|\?/gi, '')
    .trim()
    .split(/\s+/))
    expect(text).toContain(word)
  expect(text).toMatch(/ferry (?:to )?Hiiumaa/)
  expect(takenOver).toEqual([expect.objectContaining({ from: 'question', turn: 1 })])
})

test('a question takes over from questions back to the first independent one, at most three', () => {
  expect(completeQuestion('Bicycles?', history).text).toMatch(/^Bicycles.*ferry to Hiiumaa/)
  const longer = [
    { question: 'Where is the old castle of Kuressaare?', answer: 'y' },
    ...history.slice(1),
    history[1],
  ]
  const { text, takenOver } = completeQuestion(
    'Bicycles?',
    longer.filter((turn) => turn !== undefined),
  )
  expect(text).not.toContain('castle')
  expect(takenOver.map(({ turn }) => turn)).toEqual([1, 2, 3])
})

const sales = [
  'What were net sales in the United States in 2018?',
  'United States: $12,840 million [^0]',
] as const
const budget = [
  'Who approved the budget?',
  'The budget was approved by Maria Jensen on 3 May 2019. [^0]',
] as const

test.each([
  ['And in 2019?', ...sales, 'What were net sales in the United States in 2019?'],
  ['And the year before?', ...sales, 'What were net sales in the United States in 2017?'],
  ['What about Canada?', ...sales, 'What were net sales in Canada in 2018?'],
  ['And operating income?', ...sales, 'What were operating income in the United States in 2018?'],
  ['When did she do it?', ...budget, 'When did Maria Jensen approved the budget?'],
  ['Why?', 'When was the bridge opened?', 'In 1931. [^0]', 'Why was the bridge opened?'],
  [
    'Who built it?',
    'When was the bridge opened?',
    'The bridge was opened in 1931. [^0]',
    'Who built the bridge?',
  ],
  ['When did she die?', 'Where was Marie Curie born?', 'In Warsaw. [^0]', 'When did Marie Curie die?'],
  [
    'How many people live there?',
    'Where was Marie Curie born?',
    'Marie Curie was born in Warsaw. [^0]',
    'How many people live in Warsaw?',
  ],
  [
    'And for children?',
    'What does a ticket cost for adults?',
    '4 euros [^0]',
    'What does a ticket cost for children?',
  ],
  [
    'And of the Nordwind 500?',
    'What is the weight of the Nordwind 300?',
    '12 kg [^0]',
    'What is the weight of the Nordwind 500?',
  ],
  ['Who leads it?', 'What were net sales of Amazon in 2017?', '$177 million [^0]', 'Who leads Amazon?'],
  [
    'Und im Jahr 2019?',
    'Wie hoch war der Umsatz im Jahr 2018?',
    '12 Mio.',
    'Wie hoch war der Umsatz im Jahr 2019?',
  ],
  ['Und der Gewinn?', 'Wie hoch war der Umsatz 2018?', '12 Mio.', 'Wie hoch war der Gewinn 2018?'],
  ['Und am Sonntag?', 'Wann öffnet das Museum am Samstag?', 'Um 10.', 'Wann öffnet das Museum am Sonntag?'],
  ['Was kostet es?', 'Wann öffnet das Museum?', 'Das Museum öffnet um 10.', 'Was kostet es (das Museum)?'],
  [
    'Wann hat sie das getan?',
    'Wer hat den Haushalt genehmigt?',
    'Der Haushalt wurde von Maria Jensen genehmigt. [^0]',
    'Wann hat sie das getan (Maria Jensen, Haushalt genehmigt)?',
  ],
  ['Et en 2019 ?', 'Quel était le bénéfice en 2018 ?', '12 M€', 'Quel était le bénéfice en 2019?'],
  ['¿Y en 2019?', '¿Cuáles fueron las ventas en 2018?', '12 M€', '¿Cuáles fueron las ventas en 2019?'],
  ['¿Y para niños?', '¿Cuánto cuesta la entrada para adultos?', '4', '¿Cuánto cuesta la entrada para niños?'],
])('%s after "%s"', (question, previous, answer, completed) => {
  expect(complete(question, previous, answer).text).toBe(completed)
})

test('the parts that are taken over are named with their turn', () => {
  expect(complete('When did she do it?', ...budget).takenOver).toEqual([
    { text: 'Maria Jensen', from: 'answer', turn: 1 },
    { text: 'approved the budget', from: 'question', turn: 1 },
  ])
  const turns = [
    { question: 'What were net sales in 2018?', answer: 'x' },
    { question: 'And in 2019?', answer: 'y' },
  ]
  expect(completeQuestion('And in 2020?', turns)).toEqual({
    text: 'What were net sales in 2020?',
    takenOver: [
      { text: 'What were net sales in 2019?', from: 'question', turn: 1 },
      { text: 'What were net sales in 2018?', from: 'question', turn: 2 },
    ],
  })
})

test('turns without a question are skipped, and pasted texts are not taken over', () => {
  const [question, answer] = sales
  const turns = [
    { question, answer },
    { question: '', answer: 'Hello!' },
    { question: 'long '.repeat(500), answer },
  ]
  expect(completeQuestion('And in 2019?', turns).text).toContain('United States in 2019')
})
