import { defaultChatSettings } from '@cairn/contract'
import { expect, test } from 'vitest'
import { toGeneration } from './generation.ts'

test('passages are ranked once, for an answer and for its citations', () => {
  const chunk_text = 'The hotel was built in 1920. Breakfast costs 12 euros.'
  const { passages } = toGeneration({
    inTurn: async (work) => work(),
    request: { question: 'What does breakfast cost?' },
    question: 'What does breakfast cost?',
    settings: defaultChatSettings,
    models: [],
    history: [],
    places: new Map(),
    context: [{ chunk_id: 'c', chunk_text, score: 1, filename: 'a.txt', file_id: 'f' }],
  })
  expect(passages().map(({ passage }) => passage.text)).toContain('Breakfast costs 12 euros.')
  expect(passages()).toBe(passages())
})
