import { CairnError } from '@cairn/contract'
import { createImportService, createPartImport, createTraceServices } from '../app/traces.ts'
import type { Config } from '../config.ts'
import { type Db, migrate, openDatabase } from '../db/index.ts'
import { exportTarget, LeftOut, type Scales, type ToolName, tools } from '../domains/moving/index.ts'
import {
  type ImportCounts,
  type ImportRequest,
  type ImportResult,
  openFile,
  openStream,
} from '../domains/traces/index.ts'
import { bar, count, createProgress, duration, type Progress, plural, stopOnSignal } from './progress.ts'
import { oneLine } from './tables.ts'
import { parseCommand, UsageError } from './usage.ts'

type Source = ImportRequest['source']

/** Maximum number of bad lines in the terminal; the file of rejected lines has all of them. */
const shown = 10

interface Arguments {
  projectId: string
  file: string
  isReimport: boolean
  isDryRun: boolean
  /** The tool that has exported the file; undefined for our own format. */
  from: ToolName | undefined
  scales: Scales
}

const toolNames = Object.keys(tools) as ToolName[]

function toolOf(named: string | undefined): ToolName | undefined {
  const tool = toolNames.find((name) => name === named)
  if (named !== undefined && !tool) throw new UsageError(`--from must be ${toolNames.join(', ')}`)
  return tool
}

/** `name=from..to` */
function scalesOf(given: readonly string[]): Scales {
  return new Map(
    given.map((text) => {
      const [, name, from, to] = /^(.+)=(-?[\d.]+)\.\.(-?[\d.]+)$/.exec(text) ?? []
      const range = [Number(from), Number(to)] as const
      if (name === undefined || !(range[0] < range[1])) {
        throw new UsageError('--scale must name a score and its range, such as --scale stars=1..5')
      }
      return [name, range] as const
    }),
  )
}

function parse(args: string[]): Arguments {
  const { positionals, values } = parseCommand({
    args,
    allowPositionals: true,
    options: {
      again: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      from: { type: 'string' },
      scale: { type: 'string', multiple: true },
    },
  })
  const [projectId, file, ...others] = positionals
  if (!projectId || !file || others.length > 0) throw new UsageError('name one project and one file')
  const [from, scales] = [toolOf(values.from), scalesOf(values.scale ?? [])]
  if (scales.size > 0 && !from)
    throw new UsageError('--scale is for --from; scores of our own form are from 0 to 1')
  return {
    projectId,
    file,
    isReimport: values.again ?? false,
    isDryRun: values['dry-run'] ?? false,
    from,
    scales,
  }
}

async function openSource(file: string): Promise<Source> {
  if (file === '-') return await openStream(process.stdin)
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

function summary(
  { file, isDryRun, from }: Arguments,
  { before, after, ...result }: ImportResult,
  report: Report,
) {
  const imported = after.imported - before.imported
  const rejected = after.rejected - before.rejected
  if (result.outcome === 'nothing new') {
    const earlier = `${count(after.imported)} imported, ${count(after.rejected)} rejected`
    return [`nothing to do: all lines of ${file} were imported before (${earlier})`]
  }
  const verb = isDryRun ? 'would import' : 'imported'
  const rate = `${report.seconds.toFixed(1)} s, ${count(report.speed(after))} lines/s`
  const [things, lines] = from ? ['record', 'record'] : ['trace', 'line']
  return [`${verb} ${plural(imported, things)}, rejected ${plural(rejected, lines)} (${rate})`]
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

/** Starts the import of a file in our own format, or of an export. */
type Start = (request: ImportRequest) => Promise<{ result: ImportResult; lines: string[] }>

function ownFormat({ config, db }: Place): Start {
  return async (request) => ({ result: await createImportService({ config, db }).run(request), lines: [] })
}

function exportOf(tool: ToolName, { scales, isDryRun }: Arguments, place: Place): Start {
  const { config, progress } = place
  const unusable: string[] = []
  const parts = createPartImport(place, (_error, traceId) => unusable.push(traceId))
  return async (request) => {
    const { projectId, source, signal } = request
    const leftOut = new LeftOut()
    const file = { beginning: source.beginning, maxRecordBytes: config.maxJsonBytes }
    const target = exportTarget({ projectId, tool, scales, leftOut, parts, ...file })
    const result = await createImportService(place).runInto(target, request)
    const { traces, waiting } = isDryRun
      ? { traces: 0, waiting: 0 }
      : await parts.assemble(projectId, signal, (done) =>
          progress.show(() => `putting traces together: ${count(done.traces)}`),
        )
    const lines = traces > 0 ? [`${plural(traces, 'trace')} put together`] : []
    if (waiting > 0)
      lines.push(`${plural(waiting, 'trace')} with scores only: import the file with their spans, too`)
    if (unusable.length > 0) {
      lines.push(
        `${plural(unusable.length, 'trace')} without their fields, which are unusable: ${unusable[0]} …`,
      )
    }
    const { counts } = leftOut
    if (counts.length > 0) lines.push('left out:')
    return { result, lines: [...lines, ...counts.map(([why, n]) => `  ${count(n)}  ${oneLine(why, 200)}`)] }
  }
}

interface Place {
  config: Config
  db: Db
  progress: Progress
}

async function runImport(config: Config, db: Db, args: Arguments): Promise<number> {
  const { access } = createTraceServices({ config, db })
  const source = await openSource(args.file)
  if (!(await access.projectExists(args.projectId))) {
    throw new UsageError(`there is no project ${args.projectId}`)
  }
  const progress = createProgress()
  const report = new Report(progress, source)
  const place = { config, db, progress }
  const start = args.from ? exportOf(args.from, args, place) : ownFormat(place)
  try {
    const { result, lines } = await start({
      ...args,
      source,
      rejectedPath: rejectedPath(args.file),
      signal: stopOnSignal(),
      onStart: (before, bytes) => report.begin(before, bytes),
      onProgress: (now) => report.show(now),
      onRejected: (line) => report.reject(line),
    })
    progress.end()
    for (const line of [...summary(args, result, report), ...lines, ...advice(args, result)]) {
      process.stdout.write(`${line}\n`)
    }
    return exitCode(result)
  } finally {
    progress.end()
  }
}

/** Imports traces from a file directly into the database. A server may run on it at the same time. */
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
