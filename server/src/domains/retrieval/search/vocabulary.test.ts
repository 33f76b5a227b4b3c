import { expect, test } from 'vitest'
import { processorMs } from '../../../lib/processor-time.test-support.ts'
import { segmentOf } from '../segments/segment.ts'
import { Scratch } from '../wasm/scratch.ts'
import { ChatIndex } from './chat-index.ts'
import { Postings } from './postings.ts'
import { Query } from './query.ts'
import { newSpellingWork, Vocabulary } from './vocabulary.ts'

const scratch = new Scratch()

function holding(...words: string[]): { postings: Postings; vocabulary: Vocabulary } {
  const postings = new Postings()
  for (const [row, text] of words.entries()) postings.add(segmentOf('', [{ text, headingPath: [] }]), row)
  return { postings, vocabulary: new Vocabulary(postings) }
}

const like = ({ postings, vocabulary }: ReturnType<typeof holding>, word: string) =>
  vocabulary.similar(word, newSpellingWork()).map(({ number }) => postings.terms.term(number))

test('terms with a similar spelling are found, the most similar first', () => {
  const given = holding('airport', 'airports', 'airportcode', 'harbour', 'portal')
  expect(like(given, 'airport')).toEqual(['airportcod'])
  expect(like(given, 'airportco')).toEqual(['airportcod', 'airport'])
  expect(like(given, 'harbor')).toEqual(['harbour'])
  expect(like(given, 'zebra')).toEqual([])
})

test('terms with digits have no similar terms, because another number means another thing', () => {
  const given = holding('pa22150', 'pa22160', '20240', '20241')
  for (const word of ['pa22150', '20240', '2024']) expect(like(given, word)).toEqual([])
})

test('terms that are added later are found, and removed terms are not', () => {
  const given = holding('orchard', 'lantern', 'ledger')
  expect(like(given, 'lanterns')).toEqual(['lantern'])
  given.postings.add(segmentOf('', [{ text: 'lantana', headingPath: [] }]), 3)
  expect(like(given, 'lantanas')).toEqual(['lantana'])
  given.postings.removeRows(1, 2)
  expect(like(given, 'lanterns')).toEqual([])
  given.postings.removeRows(0, 2)
  expect(like(given, 'orchards')).toEqual([])
  expect(like(given, 'lantanas')).toEqual(['lantana'])
})

test('a misspelled question finds the chunk with the correct spelling, and the other way round', () => {
  const document = (fileId: string, text: string) => ({
    fileId,
    scopeValues: {},
    chunkIds: [fileId],
    segment: segmentOf(`${fileId}.txt`, [{ text, headingPath: [] }]),
  })
  const index = new ChatIndex(scratch, [
    document('a', 'the receipt of the delivery'),
    document('b', 'reciept, wrongly spelled'),
    document('c', 'something else'),
  ])
  expect(index.search(new Query('reciepts'), { limit: 3 }).map(({ fileId }) => fileId)).toEqual(['b'])
  expect(index.search(new Query('deliverry'), { limit: 3 }).map(({ fileId }) => fileId)).toEqual(['a'])
})

test('a question with the trigrams of a hundred thousand terms is searched in bounded time', async () => {
  const ending = (number: number) =>
    Array.from({ length: 4 }, (_, place) => String.fromCharCode(98 + (Math.floor(number / 24 ** place) % 24)))
  const words = Array.from({ length: 100_000 }, (_, number) => `qwrtzpkgh${ending(number).join('')}`)
  const index = new ChatIndex(scratch, [
    {
      fileId: 'a',
      scopeValues: {},
      chunkIds: ['a'],
      segment: segmentOf('a.txt', [{ text: words.join(' '), headingPath: [] }]),
    },
  ])
  for (const _ of index.prepareInSlices());
  const query = new Query(Array.from({ length: 60 }, (_, number) => `qwrtzpkgh${number}x`).join(' '))
  const similar = new Query(
    words
      .slice(0, 60)
      .map((word) => `${word}b`)
      .join(' '),
  )
  for (const each of [query, similar]) {
    const work = () => expect(index.search(each, { limit: 8 })).toHaveLength(1)
    expect(await processorMs(work)).toBeLessThan(300)
  }
})
