import { expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { traceIdOf } from './trace-id.ts'

it('the id of a trace is derived from run and case, has the form of a trace id, and differs between cases', () => {
  const [run, other] = [newId('run_'), newId('run_')]
  const cases = Array.from({ length: 5_000 }, () => newId('tsc_'))
  const ids = cases.flatMap((id) => [traceIdOf(run, id), traceIdOf(other, id)])
  expect(new Set(ids).size).toBe(10_000)
  for (const id of ids) expect(id).toMatch(/^trc_[0-9a-z]{20}$/)
  expect(cases.map((id) => traceIdOf(run, id))).toEqual(ids.filter((_, at) => at % 2 === 0))
  expect(ids[0]?.slice(4, 13)).toBe(run.slice(4, 13))
})
