import { oneOf, textOf } from '../search-params.ts'

/** Periods that end now. */
export const periods = {
  '1h': { title: 'Last hour', ms: 3_600_000 },
  '24h': { title: 'Last 24 hours', ms: 86_400_000 },
  '7d': { title: 'Last 7 days', ms: 7 * 86_400_000 },
  '30d': { title: 'Last 30 days', ms: 30 * 86_400_000 },
  '90d': { title: 'Last 90 days', ms: 90 * 86_400_000 },
} as const
export type PeriodName = keyof typeof periods
export const periodNames = Object.keys(periods) as PeriodName[]

/** A period that ends now, or one between two times (ISO 8601). All time if every field is undefined. */
export interface Period {
  period?: PeriodName | undefined
  start_date?: string | undefined
  end_date?: string | undefined
}

/** The period of an address. */
export function periodIn(search: Record<string, unknown>): Period {
  return {
    period: oneOf(periodNames, search.period),
    start_date: textOf(search.start_date),
    end_date: textOf(search.end_date),
  }
}

/** The period as a query of the API. */
export function toPeriodQuery({ period, start_date, end_date }: Period, now = Date.now()) {
  if (period) return { start_date: new Date(now - periods[period].ms).toISOString() }
  return { ...(start_date && { start_date }), ...(end_date && { end_date }) }
}
