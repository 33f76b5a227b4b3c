import { describe, expect, it } from 'vitest'
import { passagesOf } from './passages.ts'

describe('the passages of a retrieval', () => {
  it('are recognized as answers, OpenTelemetry and LangChain write them, with their place in a document', () => {
    const entry = {
      chunk_id: 'c',
      chunk_text: 'Text',
      score: 0.5,
      filename: 'a.pdf',
      file_id: 'f',
      chat_id: 'h',
    }
    expect(passagesOf([entry])).toEqual([
      {
        text: 'Text',
        score: 0.5,
        source: 'a.pdf',
        place: { fileId: 'f', chunkId: 'c', chatId: 'h' },
        others: {},
      },
    ])
    const plain = { text: 'Text', score: undefined, source: undefined, place: undefined, others: {} }
    expect(
      passagesOf({ documents: [{ id: 'd1', content: 'Text', score: 0.5, metadata: { page: 1 } }] }),
    ).toEqual([{ ...plain, score: 0.5, others: { id: 'd1', metadata: { page: 1 } } }])
    expect(passagesOf([{ page_content: 'Text', metadata: { source: 'b.txt' } }])).toMatchObject([
      { text: 'Text', source: 'b.txt' },
    ])
    expect(passagesOf(['Text'])).toEqual([plain])
  })

  it('are not recognized in other values', () => {
    for (const value of [
      undefined,
      null,
      'text',
      [],
      [1],
      [{ a: 1 }],
      [{ text: 'a' }, { b: 1 }],
      { documents: 1 },
    ]) {
      expect(passagesOf(value), JSON.stringify(value)).toBeUndefined()
    }
  })
})
