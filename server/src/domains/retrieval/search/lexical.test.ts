import fc from 'fast-check'
import { expect, test } from 'vitest'
import { segmentOf } from '../segments/segment.ts'
import { Scratch } from '../wasm/scratch.ts'
import { WordScores } from './lexical.ts'
import { IndexRows } from './rows.ts'
import { Vocabulary } from './vocabulary.ts'

const scratch = new Scratch()

interface Chunk {
  text: string
  headingPath: string[]
}

/** Words that no stemmer changes; the last three have similar spellings. */
const terms = ['copper', 'silver', 'quartz', 'marlon', 'marlot', 'marlok']
const saying = fc.array(fc.constantFrom(...terms), { maxLength: 6 }).map((list) => list.join(' '))
const document = fc.record({
  name: saying,
  chunks: fc.array(fc.record({ text: saying, headingPath: fc.array(saying, { maxLength: 1 }) }), {
    minLength: 1,
    maxLength: 5,
  }),
  isAccepted: fc.boolean(),
})

const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '')
const mean = (lengths: readonly number[]) =>
  lengths.reduce((sum, length) => sum + length, 0) / lengths.length || 1
const norm = (length: number, average: number) => 0.25 + (0.75 * length) / average
const idf = (total: number, holders: number) => Math.log(1 + (total - holders + 0.5) / (holders + 0.5))
const saturated = (frequency: number) => frequency / (1.6 + frequency)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Dice coefficient of the letter trigrams of two words. No word of this test has a trigram twice. */
function likeness(a: string, b: string): number {
  const grams = (word: string) => Array.from(word, (_, at) => `^${word}$`.slice(at, at + 3))
  return (2 * grams(a).filter((gram) => grams(b).includes(gram)).length) / (a.length + b.length)
}

/** Scores of both rankers by row, computed directly from their formulas. */
function expected(documents: readonly { name: string; chunks: Chunk[] }[], question: readonly string[]) {
  const fields = documents.map(({ name, chunks }) =>
    chunks.map(({ text, headingPath }) => ({
      body: wordsOf(text),
      heading: wordsOf(headingPath.join(' ')),
      name: wordsOf(name),
    })),
  )
  const rows = fields.flat()
  type Row = (typeof rows)[number]
  const average = {
    body: mean(rows.map(({ body }) => body.length)),
    heading: mean(rows.map(({ heading }) => heading.length)),
    name: mean(documents.map(({ name }) => wordsOf(name).length)),
    document: mean(fields.map((chunks) => sum(chunks.map(({ body }) => body.length)))),
  }
  const count = (words: readonly string[], term: string) => words.filter((word) => word === term).length
  const frequency = (row: Row, term: string) =>
    count(row.body, term) / norm(row.body.length, average.body) +
    (1.5 * count(row.heading, term)) / norm(row.heading.length, average.heading) +
    (1.5 * count(row.name, term)) / norm(row.name.length, average.name)
  const isIn = (row: Row, term: string) => [...row.body, ...row.heading, ...row.name].includes(term)

  const words = question.map((term) => ({
    weight: idf(rows.length, rows.filter((row) => isIn(row, term)).length),
    frequency: (row: Row) => frequency(row, term),
  }))
  const spelling = question.map((term) => {
    const isRare = rows.filter((row) => isIn(row, term)).length < rows.length / 10
    const alike = terms.filter((other) => other === term || (isRare && likeness(term, other) >= 0.5))
    return {
      weight: idf(rows.length, rows.filter((row) => alike.some((other) => isIn(row, other))).length),
      frequency: (row: Row) => sum(alike.map((other) => likeness(term, other) * frequency(row, other))),
    }
  })
  const around = fields.map((chunks) => {
    const length = sum(chunks.map(({ body }) => body.length))
    return question.map((term) => {
      const all = sum(chunks.map((row) => count(row.body, term) + count(row.name, term)))
      const holders = fields.filter((others) => others.some((row) => isIn(row, term))).length
      return { weight: idf(fields.length, holders), frequency: all / norm(length, average.document) }
    })
  })
  const share = (parts: readonly { weight: number; frequency: number }[]) =>
    sum(parts.map(({ weight, frequency }) => weight * saturated(frequency))) /
    sum(parts.map(({ weight }) => weight))
  const of = (parts: typeof words, row: Row) =>
    share(parts.map(({ weight, frequency }) => ({ weight, frequency: frequency(row) })))
  return fields.flatMap((chunks, number) =>
    chunks.map((row) => {
      const own = of(words, row)
      const lexical = own === 0 ? 0 : 0.65 * own + 0.35 * share(around[number] ?? [])
      return { lexical, ngram: of(spelling, row) }
    }),
  )
}

test('both rankers compute BM25F over all fields, and rows that are not accepted have the score 0', () => {
  const question = fc.uniqueArray(fc.constantFrom(...terms), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 12 }), question, (documents, asked) => {
      const rows = new IndexRows()
      for (const [number, { name, chunks }] of documents.entries()) {
        rows.add({
          fileId: `${number}`,
          scopeValues: {},
          chunkIds: chunks.map((_, order) => `${number}:${order}`),
          segment: segmentOf(`${name}.txt`, chunks),
        })
      }
      scratch.reset()
      const scores = new WordScores(scratch, rows, new Vocabulary(rows.postings), true)
      scores.add({
        terms: asked.map((term) => ({ term, count: 1, postings: rows.postings.view(term) })),
        accepted: documents.map(({ isAccepted }) => isAccepted),
      })
      const accepted = documents.flatMap(({ chunks, isAccepted }) => chunks.map(() => isAccepted))
      const lexical = scratch.floats(scores.lexical)
      const ngram = scores.ngram && scratch.floats(scores.ngram)
      for (const [row, score] of expected(documents, asked).entries()) {
        expect(lexical[row]).toBeCloseTo(accepted[row] ? score.lexical : 0, 5)
        expect(ngram?.[row]).toBeCloseTo(accepted[row] ? score.ngram : 0, 5)
      }
    }),
    { numRuns: 200 },
  )
})
