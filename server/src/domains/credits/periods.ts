import type { BudgetPeriod } from '@cairn/contract'
import { dayMs, floorTo } from '../rollups/index.ts'

/** The period that contains a time, in UTC. Times are epoch milliseconds; `end` is exclusive, undefined without an end. */
export function periodAt(period: BudgetPeriod, ms: number): { start: number; end: number | undefined } {
  if (period === 'total') return { start: 0, end: undefined }
  const day = floorTo(ms, dayMs)
  if (period === 'day') return { start: day, end: day + dayMs }
  const date = new Date(ms)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) }
}
