import { describe, expect, it } from 'vitest'
import { periodOf } from './period.ts'

const at = (text: string) => Date.parse(text)

describe('periods', () => {
  it('that end now run to the end of the current interval, and are compared with an equal part of the period before', () => {
    const period = periodOf({ period: '24h' }, at('2026-03-10T14:21:00Z'))
    expect(period).toMatchObject({
      preset: '24h',
      interval: 'hour',
      whole: { start_date: '2026-03-09T15:00:00.000Z', end_date: '2026-03-10T15:00:00.000Z' },
      elapsed: { start_date: '2026-03-09T15:00:00.000Z', end_date: '2026-03-10T14:21:00.000Z' },
      before: { start_date: '2026-03-08T15:00:00.000Z', end_date: '2026-03-09T14:21:00.000Z' },
    })
  })

  it('with custom bounds keep them', () => {
    const period = periodOf(
      { start_date: '2026-03-01T00:00:00Z', end_date: '2026-03-03T00:00:00Z' },
      at('2026-03-10T14:21:00Z'),
    )
    expect(period).toMatchObject({
      preset: undefined,
      interval: 'hour',
      elapsed: period.whole,
      before: { start_date: '2026-02-27T00:00:00.000Z', end_date: '2026-03-01T00:00:00.000Z' },
    })
    expect(periodOf({ start_date: '2020-01-01' }, at('2026-03-10T14:21:00Z')).interval).toBe('week')
  })

  it('that are invalid fall back to the default', () => {
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
