import { describe, expect, it } from 'vitest'
import { periodOf } from './period.ts'

const at = (text: string) => Date.parse(text)

describe('periods', () => {
  it('up to now end with the current interval, and are compared with as much of the one before', () => {
    const period = periodOf({ period: '24h' }, at('2026-03-10T14:21:00Z'))
    expect(period).toMatchObject({
      preset: '24h',
      interval: 'hour',
      span: { start_date: '2026-03-09T15:00:00.000Z', end_date: '2026-03-10T15:00:00.000Z' },
      now: { start_date: '2026-03-09T15:00:00.000Z', end_date: '2026-03-10T14:21:00.000Z' },
      before: { start_date: '2026-03-08T15:00:00.000Z', end_date: '2026-03-09T14:21:00.000Z' },
    })
  })

  it('of one’s own choice are taken as they are', () => {
    const period = periodOf(
      { start_date: '2026-03-01T00:00:00Z', end_date: '2026-03-03T00:00:00Z' },
      at('2026-03-10T14:21:00Z'),
    )
    expect(period).toMatchObject({
      preset: undefined,
      interval: 'hour',
      now: period.span,
      before: { start_date: '2026-02-27T00:00:00.000Z', end_date: '2026-03-01T00:00:00.000Z' },
    })
    expect(periodOf({ start_date: '2020-01-01' }, at('2026-03-10T14:21:00Z')).interval).toBe('week')
  })

  it('that make no sense are the usual one', () => {
    for (const chosen of [
      {},
      { period: '3y' },
      { start_date: 'yesterday' },
      { start_date: '2026-03-03', end_date: '2026-03-01' },
    ]) {
      expect(periodOf(chosen, at('2026-03-10T14:21:00Z')).preset, JSON.stringify(chosen)).toBe('7d')
    }
  })
})
