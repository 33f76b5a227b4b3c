import { expect, test } from 'vitest'
import { ChatIndex } from '../search/chat-index.ts'
import { Query } from '../search/query.ts'
import { type Segment, segmentOf } from '../segments/segment.ts'
import { Scratch } from '../wasm/scratch.ts'
import { fitLsa, type LsaFit, projectSegment, projectTerms } from './lsa.ts'
import { decodeLsaFit, encodeLsaFit } from './lsa-bytes.ts'

const scratch = new Scratch()

/** Texts about two topics. Each has "car" or "automobile" (or "boat" or "ship") with words that occur with both. */
const road = ['wheel', 'engine', 'brake', 'road', 'driver']
const water = ['sail', 'anchor', 'harbour', 'deck', 'captain']
const texts = Array.from({ length: 80 }, (_, n) => {
  const words = n % 2 === 0 ? road : water
  const name = n % 2 === 0 ? (n % 4 === 0 ? 'car' : 'automobile') : n % 4 === 1 ? 'boat' : 'ship'
  return [name, ...words.filter((_, place) => (n + place) % 3 !== 0)].join(' ')
})
const segments = texts.map((text) => segmentOf('', [{ text, headingPath: [] }]))

async function fitted(of: readonly Segment[]): Promise<LsaFit> {
  const fit = await fitLsa(of)
  if (!fit) throw new Error('no fit')
  return fit
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
const vectorOf = (fit: LsaFit, ...terms: string[]) =>
  projectTerms(fit, new Map(terms.map((term) => [term, 1]))) ?? new Float32Array()

test('words that occur with the same words have similar vectors, and other words do not', async () => {
  const fit = await fitted(segments)
  const [car, automobile, boat] = ['car', 'automobil', 'boat'].map((term) => vectorOf(fit, term))
  if (!car || !automobile || !boat) throw new Error('no vector')
  const [cars, autos] = [0, 2].map((at) => projectSegment(fit, segments[at] as Segment))
  if (!cars || !autos) throw new Error('no vector')
  expect(dot(car, autos)).toBeGreaterThan(0.2)
  expect(dot(boat, autos)).toBeLessThan(0.1)
  expect(dot(cars, autos)).toBeGreaterThan(dot(cars, boat))
})

test('the same segments give the same fit, also after encoding and decoding', async () => {
  const fit = await fitted(segments)
  expect(await fitted(segments)).toEqual(fit)
  const stored = decodeLsaFit(encodeLsaFit(fit))
  expect(stored).toMatchObject({ terms: fit.terms, dimensions: fit.dimensions, numbers: fit.numbers })
  expect(dot(vectorOf(stored, 'car', 'wheel'), vectorOf(fit, 'car', 'wheel'))).toBeGreaterThan(0.999)
})

test('there is no fit without chunks, or for chunks without common terms', async () => {
  expect(await fitLsa([])).toBeUndefined()
  const alone = ['one', 'two', 'three'].map((text) => segmentOf('', [{ text, headingPath: [] }]))
  expect(await fitLsa(alone)).toBeUndefined()
})

test('an index with LSA vectors finds chunks with the same meaning in other words', async () => {
  const documents = segments.map((segment, n) => ({
    fileId: `f${n}`,
    scopeValues: {},
    chunkIds: [`f${n}`],
    segment,
  }))
  const index = new ChatIndex(scratch, documents)
  const about = (query: string) =>
    index.search(new Query(query), { limit: 80 }).map(({ fileId }) => Number(fileId.slice(1)))
  expect(about('automobile').every((n) => n % 4 === 2)).toBe(true)
  const fit = await fitted(segments)
  index.useSpace({ id: 's', kind: 'lsa', model: 'lsa', dimensions: fit.dimensions, fit, chunkCount: 80 })
  expect(index.documentsWithoutVectors).toBe(80)
  for (const { fileId, segment } of documents) index.setVectors(fileId, projectSegment(fit, segment))
  expect(index.documentsWithoutVectors).toBe(0)
  const found = about('automobile')
  expect(found.slice(0, 20).every((n) => n % 4 === 2)).toBe(true)
  expect(found.some((n) => n % 4 === 0)).toBe(true)
  expect(found.every((n) => n % 2 === 0)).toBe(true)
  // Questions with identifiers or numbers do not use LSA.
  for (const query of ['automobile 7', 'automobile of fooBar', 'the `automobile`']) {
    expect(about(query).every((n) => n % 4 === 2)).toBe(true)
  }
  index.removeDocument('f2')
  expect(about('automobile')).not.toContain(2)
  index.useSpace(undefined)
  expect(about('automobile').every((n) => n % 4 === 2)).toBe(true)
})
