import { CairnError } from '@cairn/contract'
import { createImportService, createTraceServices } from '../app/traces.ts'
import type { Config } from '../config.ts'
import { type Db, migrate, openDatabase } from '../db/index.ts'
import {
  type ImportCounts,
  type ImportRequest,
  type ImportResult,
  openFile,
  openStream,
} from '../domains/traces/index.ts'
import { bar, count, createProgress, duration, type Progress, plural, stopOnSignal } from './progress.ts'
import { parseCommand, UsageError } from './usage.ts'

type Source = ImportRequest['source']

/** Maximum number of bad lines in the terminal; the file of rejected lines has all of them. */
const shown = 10

interface Arguments {
  projectId: string
  file: string
  isReimport: boolean
  isDryRun: boolean
}

function parse(args: string[]): Arguments {
  const { positionals, values } = parseCommand({
    args,
    allowPositionals: true,
    options: { again: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
  })
  const [projectId, file, ...others] = positionals
  if (!projectId || !file || others.length > 0) throw new UsageError('name one project and one file')
  return { projectId, file, isReimport: values.again ?? false, isDryRun: values['dry-run'] ?? false }
}

async function openSource(file: string): Promise<Source> {
  if (file === '-') return openStream(process.stdin)
  try {
    return await openFile(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') throw new UsageError(`there is no file ${file}`)
    if (code === 'EACCES' || code === 'EISDIR') throw new UsageError(`${file} cannot be read (${code})`)
    throw error
  }
}

/** Shows the progress of an import and its first bad lines on the terminal. */
class Report {
  readonly #progress: Progress
  readonly #source: Source
  #startedMs = performance.now()
  #before: ImportCounts = { lines: 0, imported: 0, rejected: 0 }
  #bytesBefore = 0
  #bad = 0

  constructor(progress: Progress, source: Source) {
    this.#progress = progress
    this.#source = source
  }

  get seconds(): number {
    return (performance.now() - this.#startedMs) / 1000
  }

  begin(before: ImportCounts, bytes: number): void {
    this.#startedMs = performance.now()
    this.#before = before
    this.#bytesBefore = this.#source.length === undefined ? 0 : bytes
    if (before.lines > 0) this.#progress.say(`continuing after line ${count(before.lines)}`)
  }

  /** Lines per second of this run. */
  speed(now: ImportCounts): number {
    return Math.round((now.lines - this.#before.lines) / Math.max(this.seconds, 0.001))
  }

  show(now: ImportCounts): void {
    this.#progress.show(() => this.#line(now))
  }

  reject({ line, error }: { line: number; error: string }): void {
    this.#bad += 1
    if (this.#bad <= shown) this.#progress.say(`line ${count(line)}: ${error}`)
    if (this.#bad === shown + 1) this.#progress.say('further bad lines are counted but not shown')
  }

  #line(now: ImportCounts): string {
    const bad = now.rejected > 0 ? `, ${count(now.rejected)} rejected` : ''
    const done = `${plural(now.lines, 'line')}${bad}, ${count(this.speed(now))} lines/s`
    const { size, bytesRead } = this.#source
    if (!size) return done
    const share = Math.min(1, bytesRead / size)
    const left = ((size - bytesRead) / Math.max(1, bytesRead - this.#bytesBefore)) * this.seconds
    return `${bar(share)} ${`${Math.floor(share * 100)} %`.padStart(5)}  ${done}, ${duration(left)} left`
  }
}

function summary({ file, isDryRun }: Arguments, { before, after, ...result }: ImportResult, report: Report) {
  const imported = after.imported - before.imported
  const rejected = after.rejected - before.rejected
  if (result.outcome === 'nothing new') {
    const earlier = `${count(after.imported)} imported, ${count(after.rejected)} rejected`
    return [`nothing to do: all lines of ${file} were imported before (${earlier})`]
  }
  const verb = isDryRun ? 'would import' : 'imported'
  const rate = `${report.seconds.toFixed(1)} s, ${count(report.speed(after))} lines/s`
  return [`${verb} ${plural(imported, 'trace')}, rejected ${plural(rejected, 'line')} (${rate})`]
}

function advice({ file, isDryRun }: Arguments, { after, outcome, isCutOff }: ImportResult): string[] {
  const lines: string[] = []
  if (after.rejected > 0 && !isDryRun) {
    lines.push(`${plural(after.rejected, 'rejected line')}: ${rejectedPath(file)}`)
  }
  if (isCutOff) {
    lines.push(`line ${count(after.lines + 1)} is incomplete; import it when it is complete`)
  }
  if (outcome === 'nothing new' && !isCutOff) lines.push('--again imports all lines a second time')
  if (outcome === 'stopped' && !isDryRun) {
    lines.push(
      file === '-'
        ? `stopped after line ${count(after.lines)}; an import from standard input cannot be continued`
        : `stopped after line ${count(after.lines)}; the same command continues from there`,
    )
  }
  return lines
}

/** Next to the imported file. Standard input has no folder, so its rejected lines go to the working folder. */
function rejectedPath(file: string): string {
  return `${file === '-' ? 'stdin' : file}.rejected.jsonl`
}

function exitCode({ after, outcome, isCutOff }: ImportResult): number {
  if (outcome === 'stopped') return 130
  return after.rejected > 0 || isCutOff ? 1 : 0
}

async function runImport(config: Config, db: Db, args: Arguments): Promise<number> {
  const { access } = createTraceServices({ config, db })
  const source = await openSource(args.file)
  if (!(await access.projectExists(args.projectId))) {
    throw new UsageError(`there is no project ${args.projectId}`)
  }
  const progress = createProgress()
  const report = new Report(progress, source)
  try {
    const result = await createImportService({ config, db }).run({
      ...args,
      source,
      rejectedPath: rejectedPath(args.file),
      signal: stopOnSignal(),
      onStart: (before, bytes) => report.begin(before, bytes),
      onProgress: (now) => report.show(now),
      onRejected: (line) => report.reject(line),
    })
    progress.end()
    for (const line of [...summary(args, result, report), ...advice(args, result)]) {
      process.stdout.write(`${line}\n`)
    }
    return exitCode(result)
  } finally {
    progress.end()
  }
}

/** Imports traces from JSON Lines directly into the database. A server may run on it at the same time. */
export async function importFile(config: Config, args: string[]): Promise<number> {
  const parsed = parse(args)
  const db = await openDatabase(config)
  try {
    await migrate(db)
    return await runImport(config, db, parsed)
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  } finally {
    await db.close()
  }
}
