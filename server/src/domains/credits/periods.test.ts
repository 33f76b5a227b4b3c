import { expect, it } from 'vitest'
import { periodAt } from './periods.ts'

const at = (text: string) => Date.parse(`${text}Z`)

it.each([
  ['2024-01-31T23:59:59.999', '2024-01-01T00:00', '2024-02-01T00:00'],
  ['2024-02-29T12:00', '2024-02-01T00:00', '2024-03-01T00:00'],
  ['2025-02-01T00:00', '2025-02-01T00:00', '2025-03-01T00:00'],
  ['2025-04-30T00:00', '2025-04-01T00:00', '2025-05-01T00:00'],
  ['2025-12-31T23:59:59.999', '2025-12-01T00:00', '2026-01-01T00:00'],
])('the month of %s begins on its first day and ends where the next month begins', (now, start, end) => {
  expect(periodAt('month', at(now))).toEqual({ start: at(start), end: at(end) })
})

it('a day is a day in UTC, and the period total has no end', () => {
  const day = { start: at('2024-02-29T00:00'), end: at('2024-03-01T00:00') }
  for (const now of ['2024-02-29T00:00', '2024-02-29T23:59:59.999'])
    expect(periodAt('day', at(now))).toEqual(day)
  expect(periodAt('total', at('2024-02-29T00:00'))).toEqual({ start: 0, end: undefined })
})
