import { describe, expect, it } from 'vitest'
import { type DatasetTool, readDataset } from './datasets.ts'

const values = (text: string, tool: DatasetTool) => readDataset(text, tool).cases.map(({ value }) => value)

describe('datasets of other tools', () => {
  it('Langfuse: items of the API, with messages and objects; archived items are left out', () => {
    const item = { id: 'i', status: 'ACTIVE', datasetId: 'd', sourceTraceId: null }
    const data = [
      { ...item, input: 'What is RAG?', expectedOutput: 'A method.', metadata: { category: 'basics' } },
      {
        ...item,
        input: {
          messages: [
            { role: 'system', content: 's' },
            { role: 'user', content: 'Hi' },
          ],
        },
        expectedOutput: { answer: 'Hello', score: 1 },
        metadata: { source: 'x' },
      },
      { ...item, input: { city: 'Paris', days: 2 }, expectedOutput: null, metadata: null },
      { ...item, status: 'ARCHIVED', input: 'old', expectedOutput: 'old' },
    ]
    const read = readDataset(JSON.stringify({ data, meta: { page: 1 } }, null, 2), 'langfuse')
    expect(read.cases).toEqual([
      { place: 'item 1', value: { query: 'What is RAG?', expected_answer: 'A method.', category: 'basics' } },
      { place: 'item 2', value: { query: 'Hi', expected_answer: 'Hello' } },
      { place: 'item 3', value: { query: '{"city":"Paris","days":2}', expected_answer: '' } },
    ])
    expect(read.notes).toEqual(['1 archived items', 'the metadata of 1 items: a case has only a category'])
  })

  it('Langfuse: the table of items as CSV', () => {
    const csv = 'id,input,expectedOutput,status\n1,"{""question"":""Why?""}",Because,ACTIVE\n'
    expect(values(csv, 'langfuse')).toEqual([{ query: 'Why?', expected_answer: 'Because' }])
  })

  it('Phoenix: examples of the command line tool', () => {
    const dataset = {
      dataset_id: 'd',
      version_id: 'v',
      examples: [{ id: 'e', input: { question: 'Why?' }, output: { answer: 'Because' }, metadata: {} }],
    }
    expect(values(JSON.stringify(dataset), 'phoenix')).toEqual([
      { query: 'Why?', expected_answer: 'Because' },
    ])
  })

  it('Opik: an exported dataset', () => {
    const dataset = { id: 'd', name: 'n', items: [{ input: { query: 'Why?' }, expected_output: 'Because' }] }
    expect(values(JSON.stringify(dataset, null, 2), 'opik')).toEqual([
      { query: 'Why?', expected_answer: 'Because' },
    ])
  })

  it('LangSmith: examples as JSON Lines; bad lines have their place', () => {
    const line = '{"id":"e","inputs":{"question":"Why?"},"outputs":{"answer":"Because"},"metadata":null}'
    const read = readDataset(`${line}\n\n{\n3\n{"outputs":{}}\n`, 'langsmith')
    expect(read.cases).toEqual([{ place: 'line 1', value: { query: 'Why?', expected_answer: 'Because' } }])
    expect(read.bad).toEqual([
      { place: 'line 3', error: expect.stringContaining('not valid JSON') },
      { place: 'line 4', error: 'it is not an object' },
      { place: 'line 5', error: 'inputs is required; it has outputs' },
    ])
  })
})
