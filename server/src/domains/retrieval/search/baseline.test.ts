import { expect, test } from 'vitest'
import { segmentOf } from '../segments/index.ts'
import { toUnitVectors } from '../vectors/index.ts'
import { Scratch } from '../wasm/index.ts'
import { subtractBaseline } from './baseline.ts'
import { ChatIndex } from './chat-index.ts'
import { Query } from './query.ts'

test('the baseline is the mean over many chunks, but only a small part of it over few chunks', () => {
  const many = new Float32Array(995).fill(0.5)
  many[0] = 0.9
  expect(subtractBaseline(many)).toBeCloseTo(0.498, 2)
  expect(many[0]).toBeCloseTo(0.402, 2)
  const one = Float32Array.of(0.8)
  expect(subtractBaseline(one)).toBeLessThan(0.15)
  expect(one[0]).toBeGreaterThan(0.65)
})

test('cosines below the baseline become 0', () => {
  const cosines = Float32Array.of(...new Array<number>(100).fill(0.6), 0.1)
  subtractBaseline(cosines)
  expect(cosines.at(-1)).toBe(0)
  expect(cosines[0]).toBeGreaterThan(0)
})

/**
 * An index of 200 chunks with vectors of two numbers and a constant: with the share `common`, the cosine of any two
 * texts is at least `common`.
 */
function indexWith(common: number): ChatIndex {
  const index = new ChatIndex(new Scratch())
  const texts = Array.from({ length: 200 }, (_, at) => `entry ${at}`)
  texts[3] = 'ferry'
  texts[7] = `ferry ${'and many other words '.repeat(3)}`
  const angle = (at: number) => (at === 7 ? 0 : 1.4)
  const segment = segmentOf(
    '',
    texts.map((text) => ({ text, headingPath: [] })),
  )
  index.addDocument({ fileId: 'f', scopeValues: {}, chunkIds: texts.map((_, at) => `${at}`), segment })
  index.useSpace({ id: 'emb', kind: 'embedding', model: 'm', dimensions: 3, chunkCount: 0 })
  index.setVectors('f', Float32Array.from(texts.flatMap((_, at) => [...vectorOf(angle(at), common)])))
  return index
}

function vectorOf(angle: number, common: number): Float32Array {
  const scale = Math.sqrt(1 - common)
  return toUnitVectors(
    Float32Array.of(scale * Math.cos(angle), scale * Math.sin(angle), Math.sqrt(common)),
    3,
  )
}

test.each([0, 0.7, 0.9])(
  'vectors rank equally well if the cosine of any two texts is at least %f',
  (common) => {
    const hits = indexWith(common).search(new Query('ferry'), { limit: 2, vector: vectorOf(0, common) })
    // The words prefer chunk 3 a little, the vectors prefer chunk 7 clearly.
    expect(hits.map(({ chunkId }) => chunkId)).toEqual(['7', '3'])
  },
)
