import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toUnitVectors, VectorMatrix } from './vector-matrix.ts'

const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

test('cosines equal those of a plain loop, after any additions and removals', () => {
  const step = fc.oneof(
    fc.record({ add: fc.integer({ min: 1, max: 5 }), fills: fc.boolean() }),
    fc.record({ remove: fc.nat(), count: fc.integer({ min: 1, max: 4 }) }),
  )
  const dimensions = fc.constantFrom(1, 3, 16, 96, 100)
  fc.assert(
    fc.property(dimensions, fc.array(step, { maxLength: 12 }), (width, steps) => {
      const matrix = new VectorMatrix(width)
      let expected: Float32Array[] = []
      let seed = 0
      const vector = () =>
        toUnitVectors(
          Float32Array.from({ length: width }, (_, index) => Math.sin(++seed + index)),
          width,
        )
      for (const each of steps) {
        if ('add' in each) {
          const added = Array.from({ length: each.add }, () =>
            each.fills ? vector() : new Float32Array(width),
          )
          matrix.append(each.add)
          if (each.fills) matrix.set(expected.length, Float32Array.from(added.flatMap((one) => [...one])))
          expected.push(...added)
        } else if (expected.length > 0) {
          const from = each.remove % expected.length
          const to = Math.min(expected.length, from + each.count)
          matrix.remove(from, to)
          expected = expected.filter((_, row) => row < from || row >= to)
        }
        const query = vector()
        const cosines = [...matrix.cosines(query)]
        expect(cosines).toHaveLength(expected.length)
        for (const [row, cosine] of cosines.entries()) {
          const exact = dot(expected[row] ?? query, query)
          // Cosines near or below 0 are only approximate.
          if (exact > 0.02) expect(cosine).toBeCloseTo(exact, 5)
          else expect(Math.abs(cosine - Math.max(0, exact))).toBeLessThan(0.02)
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('among 5,000 vectors the nearest ten are those of brute force, and all other cosines are approximately right', () => {
  const width = 384
  const vectors = toUnitVectors(
    Float32Array.from({ length: 5_000 * width }, (_, index) => (Math.sin(index * 12.9898) % 0.37) + 0.1),
    width,
  )
  const matrix = new VectorMatrix(width)
  matrix.append(5_000)
  matrix.set(0, vectors)
  const row = (index: number) => vectors.subarray(index * width, (index + 1) * width)
  const query = toUnitVectors(
    row(17).map((value, index) => value + (row(99)[index] ?? 0) / 2),
    width,
  )
  const nearest = (scores: readonly number[]) =>
    [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, 10)
  const brute = Array.from({ length: 5_000 }, (_, index) => dot(row(index), query))
  const cosines = [...matrix.cosines(query)]
  expect(nearest(cosines)).toEqual(nearest(brute))
  const misses = cosines.map((cosine, index) => Math.abs(cosine - Math.max(0, brute[index] ?? 0)))
  expect(Math.max(...misses)).toBeLessThan(0.005)
})
