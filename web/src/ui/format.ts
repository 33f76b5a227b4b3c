/** Formats of numbers, money, times and sizes for every screen. Separators and dates follow the reader's locale. */

const count = new Intl.NumberFormat()
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const exactTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** Shown in the place of a missing value. */
export const none = '–'

/** `1,234`. */
export function formatCount(value: number | null | undefined): string {
  return value == null ? none : count.format(value)
}

/** `1,234` below ten thousand, `1.2M` above. */
export function formatCompact(value: number | null | undefined): string {
  if (value == null) return none
  return Math.abs(value) < 10_000 ? count.format(value) : compact.format(value)
}

/** US dollars: `$0.0042`, `$12.30`, `$1,234`. */
export function formatMoney(value: number | null | undefined): string {
  if (value == null) return none
  const size = Math.abs(value)
  if (value === 0) return '$0'
  if (size >= 1000) return `$${count.format(Math.round(value))}`
  if (size >= 1) return `$${value.toFixed(2)}`
  // Two significant digits.
  return `$${value.toFixed(Math.min(10, 1 - Math.floor(Math.log10(size))))}`
}

/** The cost of a call. A call of a model whose price is unknown has no price, which is not the same as free. */
export function formatCost(cost: number | null | undefined, isCall: boolean): string {
  return cost == null && isCall ? noPrice : formatMoney(cost)
}

export const noPrice = 'no price'

/** A sum of costs; `no price` if none of the traces has a cost. */
export function costSumText(cost: number | null | undefined, unpriced: number, traces: number): string {
  return traces > 0 && unpriced >= traces ? noPrice : formatMoney(cost)
}

/** `12 traces without a price`; undefined if every trace has one. */
export function unpricedText(unpriced: number): string | undefined {
  return unpriced > 0 ? `${plural(unpriced, 'trace')} without a price` : undefined
}

/** `812 ms`, `1.24 s`, `3 min 5 s`. */
export function formatDuration(ms: number | null | undefined): string {
  if (ms == null) return none
  if (ms < 1000) return ms > 0 && ms < 1 ? '< 1 ms' : `${Math.round(ms)} ms`
  if (ms < 120_000) return `${(ms / 1000).toFixed(2)} s`
  const seconds = Math.round(ms / 1000)
  return `${count.format(Math.floor(seconds / 60))} min ${seconds % 60} s`
}

/** `12 %`, `0.4 %`; a share from 0 to 1. */
export function formatShare(share: number | null | undefined): string {
  if (share == null) return none
  const percent = share * 100
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`
}

/** `0.82`: a score from 0 to 1. */
export function formatScore(value: number | null | undefined): string {
  return value == null ? none : value.toFixed(2)
}

const units = ['B', 'KB', 'MB', 'GB', 'TB']

/** `812 B`, `1.2 MB`; 1 KB is 1,000 bytes. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes == null) return none
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

/** Elapsed time in its largest unit: `now`, `12 s ago`, `3 min ago`, `2 h ago`, `5 d ago`. */
export function formatAgo(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 1) return 'now'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}

/** Date and time to the second, in the reader's time zone. */
export function formatTime(at: string | number): string {
  return exactTime.format(new Date(at))
}

export function formatDay(at: string | number): string {
  return day.format(new Date(at))
}

/** `1 trace`, `3 traces`. */
export function plural(number: number, one: string, many = `${one}s`): string {
  return `${count.format(number)} ${number === 1 ? one : many}`
}
