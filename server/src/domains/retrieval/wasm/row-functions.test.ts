import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileRowFunctions } from '../../../../compile-wat.ts'
import { fuse } from '../search/fusion.ts'
import { rowFunctionsWasm } from './row-functions.wasm.ts'
import { Scratch } from './scratch.ts'

const scratch = new Scratch()

test('the stored module equals the compiled text', async () => {
  expect(await compileRowFunctions()).toEqual(rowFunctionsWasm)
})

/** Few different values, so that some scores are equal. */
const scores = fc.array(
  fc.integer({ min: 0, max: 9 }).map((tenths) => Math.fround(tenths / 10)),
  {
    maxLength: 50,
  },
)

test('the highest scores equal those of a sorted list, and `compare` orders equal scores', () => {
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 12 }), (values, limit) => {
      scratch.reset()
      const column = scratch.allocateCopy(Float32Array.from(values))
      // Old data after the column must not count as scores.
      scratch.copyTemporarily(Float32Array.from({ length: 16 }, () => 1))
      const sorted = [...values.keys()]
        .filter((row) => values[row] !== 0)
        .sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || b - a)
      expect(scratch.highest(column, limit, (a, b) => b - a)).toEqual(sorted.slice(0, limit))
    }),
  )
})

test('fused scores are the weighted sum of rankers, for rows that reach the minimum score of one of them', () => {
  const rows = fc.array(
    fc.tuple(
      ...Array.from({ length: 3 }, () =>
        fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000),
      ),
    ),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  fc.assert(
    fc.property(rows, (given) => {
      scratch.reset()
      const rankers = [0.6, 0.25, 0.6].map((weight, ranker) => ({
        weight,
        minScore: ranker === 2 ? 0.2 : 0,
        scores: scratch.allocateCopy(Float32Array.from(given, (row) => row[ranker] ?? 0)),
      }))
      const active = rankers
        .map(({ weight, minScore }, ranker) => ({
          weight,
          minScore,
          ranker,
          best: Math.fround(Math.max(...given.map((row) => row[ranker] ?? 0))),
        }))
        .filter(({ best, minScore }) => best > 0 && best >= minScore)
      const total = active.reduce((sum, { weight }) => sum + weight, 0)
      const overall = Math.max(0, ...active.map(({ best }) => best))
      const fused = scratch.floats(fuse(scratch, rankers, given.length))
      for (const [row, values] of given.entries()) {
        const admitted = active.some(({ minScore, ranker }) => {
          const value = Math.fround(values[ranker] ?? 0)
          return minScore === 0 ? value > 0 : value >= Math.fround(minScore)
        })
        const sum = active.reduce(
          (all, { weight, ranker, best }) =>
            all + ((weight / total) * overall * (values[ranker] ?? 0)) / best,
          0,
        )
        expect(fused[row]).toBeCloseTo(admitted ? sum : 0, 4)
      }
    }),
  )
})
