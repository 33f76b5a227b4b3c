import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileRowFunctions } from '../../../../compile-wat.ts'
import { fuse } from '../search/fusion.ts'
import { rowFunctionsWasm } from './row-functions.wasm.ts'
import { Scratch } from './scratch.ts'

const scratch = new Scratch()

test('the compiled module is what its text says', async () => {
  expect(await compileRowFunctions()).toEqual(rowFunctionsWasm)
})

/** Few different ones, so that there are equal scores. */
const scores = fc.array(
  fc.integer({ min: 0, max: 9 }).map((tenths) => Math.fround(tenths / 10)),
  {
    maxLength: 50,
  },
)

test('the highest scores are those of a sorted list, equal ones in the order asked for', () => {
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 12 }), (values, limit) => {
      scratch.begin()
      const column = scratch.put(Float32Array.from(values))
      // What was there before must not be taken for a score.
      scratch.lend(Float32Array.from({ length: 16 }, () => 1))
      const sorted = [...values.keys()]
        .filter((row) => values[row] !== 0)
        .sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || b - a)
      expect(scratch.highest(column, limit, (a, b) => b - a)).toEqual(sorted.slice(0, limit))
    }),
  )
})

test('fused scores are the weighted sum of rankers, of rows that one of them admits', () => {
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
      scratch.begin()
      const rankers = [0.6, 0.25, 0.6].map((share, ranker) => ({
        share,
        admits: ranker === 2 ? 0.2 : 0,
        scores: scratch.put(Float32Array.from(given, (row) => row[ranker] ?? 0)),
      }))
      const active = rankers
        .map(({ share, admits }, ranker) => ({
          share,
          admits,
          ranker,
          best: Math.fround(Math.max(...given.map((row) => row[ranker] ?? 0))),
        }))
        .filter(({ best, admits }) => best > 0 && best >= admits)
      const total = active.reduce((sum, { share }) => sum + share, 0)
      const overall = Math.max(0, ...active.map(({ best }) => best))
      const fused = scratch.floats(fuse(scratch, rankers, given.length))
      for (const [row, values] of given.entries()) {
        const admitted = active.some(({ admits, ranker }) => {
          const value = Math.fround(values[ranker] ?? 0)
          return admits === 0 ? value > 0 : value >= Math.fround(admits)
        })
        const sum = active.reduce(
          (all, { share, ranker, best }) => all + ((share / total) * overall * (values[ranker] ?? 0)) / best,
          0,
        )
        expect(fused[row]).toBeCloseTo(admitted ? sum : 0, 4)
      }
    }),
  )
})
