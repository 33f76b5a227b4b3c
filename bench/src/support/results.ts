import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

/** One line of a result: description, value, unit and bar. */
export interface Row {
  what: string
  value: number
  unit: string
  /** The bar of the project, if there is one: `max` if lower is better, `min` if higher is better. */
  bar?: { min?: number; max?: number }
  /** Number of traces in the database. */
  rows?: number
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = new URL('../../results/', import.meta.url)

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const dirty = git('status', '--porcelain', '--', 'server', 'contract', 'bench/src') !== ''
  return git('rev-parse', 'HEAD') + (dirty ? ' with changes' : '')
}

/** True without a bar. */
export function isMet({ value, bar }: Row): boolean {
  return value >= (bar?.min ?? -Infinity) && value <= (bar?.max ?? Infinity)
}

function describe(row: Row): string {
  const { what, value, unit, bar, rows } = row
  const limit = bar?.min === undefined ? `at most ${bar?.max}` : `at least ${bar.min}`
  const verdict = bar ? `   ${isMet(row) ? 'meets' : 'MISSES'} the bar of ${limit}` : ''
  const among = rows === undefined ? '' : `   among ${rows.toLocaleString('en')} traces`
  return `  ${what.padEnd(52)} ${String(value).padStart(9)} ${unit}${among}${verdict}`
}

export function show(name: string, rows: readonly Row[]): void {
  console.log(`${name}\n${rows.map(describe).join('\n')}\n`)
}

/** Prints the rows and stores them in `results/<name>.json`, with commit, machine and date. */
export function report(name: string, rows: readonly Row[]): void {
  show(name, rows)
  const result = {
    name,
    date: new Date().toISOString(),
    commit: commit(),
    node: process.version,
    cpu: { model: cpus()[0]?.model ?? 'unknown', cores: cpus().length },
    rows,
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(result, null, 2)}\n`)
}

export function round(value: number, digits = 0): number {
  return Number(value.toFixed(digits))
}

/** The smallest value that is at least as large as this share of the sorted values. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}
