import type { ScopeValues } from '@cairn/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ChunkFields, segmentOf } from '../segments/segment.ts'
import { Scratch } from '../wasm/scratch.ts'
import { ChatIndex, type IndexDocument } from './chat-index.ts'
import { Query } from './query.ts'

const scratch = new Scratch()

interface Given {
  filename?: string
  scopeValues?: ScopeValues
  chunks?: readonly ChunkFields[]
}

function doc(fileId: string, texts: readonly string[], given: Given = {}): IndexDocument {
  const chunks = given.chunks ?? texts.map((text) => ({ text, headingPath: [] }))
  return {
    fileId,
    scopeValues: given.scopeValues ?? {},
    chunkIds: chunks.map((_, order) => `${fileId}:${order}`),
    segment: segmentOf(given.filename ?? `${fileId}.txt`, chunks),
  }
}

const ids = (index: ChatIndex, query: string, limit = 10) =>
  index.search(new Query(query), { limit }).map(({ chunkId }) => chunkId)

test('returns the chunks that contain the term, best first, with scores in 0..1', () => {
  const index = new ChatIndex(scratch, [
    doc('a', ['apples and pears', 'apples, apples and more apples']),
    doc('b', ['plums']),
  ])
  const hits = index.search(new Query('apples'), { limit: 10 })
  expect(hits.map(({ chunkId }) => chunkId)).toEqual(['a:1', 'a:0'])
  for (const { score } of hits) expect(score).toBeGreaterThan(0)
  for (const { score } of hits) expect(score).toBeLessThanOrEqual(1)
})

test('chunks without a term of the question are not returned, and a question without terms returns nothing', () => {
  const index = new ChatIndex(scratch, [doc('a', ['apples', 'pears'])])
  expect(ids(index, 'apples')).toEqual(['a:0'])
  expect(ids(index, 'quinces')).toEqual([])
  expect(ids(index, 'the of and ?!')).toEqual([])
  expect(ids(new ChatIndex(scratch), 'apples')).toEqual([])
})

test('a question with unknown terms scores lower than the same question without them', () => {
  const index = new ChatIndex(scratch, [doc('a', ['apples are red']), doc('b', ['pears are green'])])
  const score = (query: string) => index.search(new Query(query), { limit: 1 })[0]?.score ?? 0
  expect(score('red apples')).toBeGreaterThan(score('red apples of Mongolian astronauts'))
})

test('the terms of a long question are shared among the languages of the documents, the rarest first', () => {
  const numbers = Array.from({ length: 40 }, (_, at) => String(1000 + at))
  const texts = ['The weather is fine and the sea is calm.', 'Das Wetter ist schön und die See ist ruhig.']
  const documents = texts.map((text, at) => doc(`note-${at}`, [`${text} ${numbers.join(' ')}`]))
  const common = doc('common', [`The weather is fine and the sea is calm. ${numbers.slice(32).join(' ')}`])
  expect(ids(new ChatIndex(scratch, [documents[0] as IndexDocument, common]), numbers.join(' '))).toContain(
    'common:0',
  )
  const index = new ChatIndex(scratch, [...documents, common])
  expect(ids(index, numbers.join(' '))).not.toContain('common:0')
  expect(ids(index, numbers.slice(20).join(' '))).toContain('common:0')
})

test('similar documents are distinguished by terms in their other chunks', () => {
  const report = (place: string, hours: string) => [
    `Accident at ${place}.`,
    `Flight time of the pilot: ${hours} hours.`,
  ]
  const places = ['Latrobe', 'Belen', 'Wausau', 'Boquete']
  const index = new ChatIndex(
    scratch,
    places.map((place, at) => doc(`file${at}`, report(place, `${at + 1}00`))),
  )
  for (const [at, place] of places.entries()) {
    const found = ids(index, `How many hours of flight time had the pilot of the accident at ${place}?`)
    expect(found.find((id) => id.endsWith(':1'))).toBe(`file${at}:1`)
  }
})

test('heading path and file name are searched, too', () => {
  const chunks = [{ text: 'nothing much', headingPath: ['Refunds', 'Deadlines'] }]
  const index = new ChatIndex(scratch, [
    doc('x', [], { chunks, filename: 'travel_policy-2024.pdf' }),
    doc('y', ['other']),
  ])
  expect(ids(index, 'deadline')).toEqual(['x:0'])
  expect(ids(index, 'travel policy')).toEqual(['x:0'])
  expect(ids(index, 'pdf')).toEqual([])
})

describe('the exact filter', () => {
  const many = Array.from({ length: 200 }, (_, at) => doc(`noise${at}`, ['apples apples apples']))
  const index = new ChatIndex(scratch, [...many, doc('mine', ['one apple among other fruit of many kinds'])])

  test('is applied before the limit: a weak hit of an accepted file is found despite better hits in other files', () => {
    expect(
      index.search(new Query('apples'), { limit: 1, accepts: (fileId) => fileId === 'mine' }),
    ).toMatchObject([{ fileId: 'mine' }])
  })

  test('excludes all other files', () => {
    const hits = index.search(new Query('apples'), { limit: 300, accepts: (fileId) => fileId.endsWith('7') })
    expect(hits).toHaveLength(20)
    expect(hits.every(({ fileId }) => fileId.endsWith('7'))).toBe(true)
    expect(index.search(new Query('apples'), { limit: 5, accepts: () => false })).toEqual([])
  })

  test('is called once for each document', () => {
    const filtered: string[] = []
    index.search(new Query('apples'), { limit: 5, accepts: (fileId) => filtered.push(fileId) > 0 })
    expect(filtered).toHaveLength(201)
    expect(new Set(filtered).size).toBe(201)
  })
})

test('the order of equal scores does not depend on the order of adding documents', () => {
  const documents = ['d', 'b', 'a', 'c'].map((id) => doc(id, ['same text', 'same text']))
  const order = ['a:0', 'a:1', 'b:0', 'b:1', 'c:0', 'c:1', 'd:0', 'd:1']
  expect(ids(new ChatIndex(scratch, documents), 'same text')).toEqual(order)
  expect(ids(new ChatIndex(scratch, documents.toReversed()), 'same text')).toEqual(order)
  expect(ids(new ChatIndex(scratch, documents), 'same text', 3)).toEqual(order.slice(0, 3))
})

test('after any additions and removals, an index returns the same results as a new one', () => {
  const words = fc.array(fc.constantFrom('red', 'green', 'blue', 'round', 'square'), {
    minLength: 1,
    maxLength: 6,
  })
  const texts = fc.array(
    words.map((list) => list.join(' ')),
    { maxLength: 4 },
  )
  const step = fc.record({
    fileId: fc.constantFrom('a', 'b', 'c', 'd'),
    texts: fc.option(texts, { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const index = new ChatIndex(scratch)
      const expected = new Map<string, IndexDocument>()
      for (const { fileId, texts: content } of steps) {
        if (content) index.addDocument(doc(fileId, content))
        else expect(index.removeDocument(fileId)).toBe(expected.has(fileId))
        expected.delete(fileId)
        if (content) expected.set(fileId, doc(fileId, content))
      }
      const fresh = new ChatIndex(scratch, [...expected.values()])
      for (const query of ['red', 'green square', 'blue round red']) {
        expect(index.search(new Query(query), { limit: 20 })).toEqual(
          fresh.search(new Query(query), { limit: 20 }),
        )
      }
      expect([index.documentCount, index.chunkCount]).toEqual([fresh.documentCount, fresh.chunkCount])
    }),
    { numRuns: 200 },
  )
})

test('bytes grow with the content and shrink again', () => {
  const index = new ChatIndex(scratch, [doc('a', ['first'])])
  const before = index.bytes
  index.addDocument(
    doc(
      'b',
      Array.from({ length: 500 }, (_, at) => `word${at} other${at} text`),
    ),
  )
  expect(index.bytes).toBeGreaterThan(before + 50_000)
  index.removeDocument('b')
  expect(index.bytes).toBe(before)
})

test('scope values can be read for a filter', () => {
  const index = new ChatIndex(scratch, [doc('a', ['x'], { scopeValues: { region: 'eu', year: 2024 } })])
  expect(index.scopeValues('a')).toEqual({ region: 'eu', year: 2024 })
  expect(index.scopeValues('b')).toBeUndefined()
})

test('each document is searched with the stems of its own language', () => {
  const index = new ChatIndex(scratch, [
    doc('de', ['Die Häuser in der Altstadt wurden nach dem Krieg wieder aufgebaut.']),
    doc('en', ['The houses in the old town were rebuilt after the war.']),
    doc('ru', ['Дома в старом городе были восстановлены после войны.']),
    doc('zh', ['老城区的房屋在战后重建。市长于1998年开放了博物馆。']),
    doc('ja', ['旧市街の家は戦後に再建された。']),
  ])
  const best = (query: string) => index.search(new Query(query), { limit: 5 })[0]?.fileId
  expect(best('Welches Haus wurde nach dem Krieg aufgebaut?')).toBe('de')
  expect(best('Which house was rebuilt?')).toBe('en')
  expect(best('старые города')).toBe('ru')
  expect(best('博物馆什么时候开放?')).toBe('zh')
  expect(best('旧市街はいつ再建されたか')).toBe('ja')
})

test('a very long question is searched by its rare words, at any position', () => {
  const common = Array.from(
    { length: 100 },
    (_, n) => `word${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}`,
  )
  const index = new ChatIndex(scratch, [
    doc(
      'common',
      Array.from({ length: 5 }, () => common.join(' ')),
    ),
    doc('rare', ['the ferry leaves at noon']),
  ])
  expect(ids(index, `${common.join(' ')} ferry`)).toContain('rare:0')
})

test('a new index yields many times while it makes room for a document with many terms', () => {
  const words = Array.from({ length: 50_000 }, (_, number) => `w${number}`)
  const index = new ChatIndex(scratch)
  expect([...index.reserveInSlices([doc('a', [words.join(' ')])])].length).toBeGreaterThan(10)
})
