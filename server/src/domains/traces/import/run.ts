import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { CairnError, type ImportedTrace } from '@cairn/contract'
import type { Pricing } from '../../prices/index.ts'
import { type ScoreRow, scoreInsert } from '../../scores/index.ts'
import { type NewTrace, toNewTrace } from '../facts.ts'
import { toRecord } from '../record.ts'
import { type ImportRow, type ImportStore, progressUpsert } from '../store/index.ts'
import type { TraceStore } from '../store.ts'
import { type RawLine, splitLines } from './lines.ts'
import { isBlank, isObject, parseLine, scoresOf, withoutByteOrderMark } from './parse.ts'
import { RejectedFile, type RejectedLine } from './rejected.ts'
import type { ImportSource } from './source.ts'

export interface ImportServiceOptions {
  store: TraceStore
  imports: ImportStore
  pricing: (projectId: string) => Promise<Pricing>
  checkLine: (value: unknown) => ImportedTrace
  maxLineBytes: number
}

export interface ImportRequest {
  projectId: string
  source: ImportSource
  /** Path of the file for rejected lines. If undefined, rejected lines are only reported. */
  rejectedPath: string | undefined
  /** Writes nothing. */
  isDryRun: boolean
  /** Imports a file again that was imported completely. */
  isReimport: boolean
  /** Stops the import after the current transaction. */
  signal: AbortSignal
  /** Called with the counts of earlier runs, and the bytes of the content that they have read. */
  onStart: (before: ImportCounts, bytes: number) => void
  onProgress: (now: ImportCounts) => void
  onRejected: (line: RejectedLine) => void
}

/** Counts of the whole file, including earlier runs. */
export interface ImportCounts {
  /** Lines with a line feed. */
  lines: number
  imported: number
  rejected: number
}

export interface ImportResult {
  /** The counts of earlier runs. */
  before: ImportCounts
  after: ImportCounts
  /** `nothing new`: earlier runs have imported every line. */
  outcome: 'done' | 'stopped' | 'nothing new'
  /** The file ends with an incomplete line, which a later run imports when it is complete. */
  isCutOff: boolean
}

/** Maximum lines, and maximum bytes of lines, of one transaction. */
const maxStep = { lines: 2000, bytes: 8 * 1024 * 1024 }
/** Pause between two transactions for other processes, because SQLite has one writer. */
const pauseMs = 2

/** The lines of one transaction. */
class Step {
  readonly traces: NewTrace[] = []
  readonly scores: ScoreRow[] = []
  readonly rejected: RejectedLine[] = []
  lines = 0
  bytes = 0

  get isFull(): boolean {
    return this.lines >= maxStep.lines || this.bytes >= maxStep.bytes
  }
}

function toCounts(row: ImportRow): ImportCounts {
  return { lines: row.lines_done, imported: row.imported, rejected: row.rejected }
}

/** One run of an import. It parses the next step while the current one is written. */
export class Run {
  readonly #options: ImportServiceOptions
  readonly #request: ImportRequest
  readonly #start: ImportRow
  readonly #pricing: Pricing
  readonly #file: RejectedFile | undefined
  /** The progress after the last step whose writing has started. */
  #row: ImportRow
  #step = new Step()
  #writing: Promise<void> = Promise.resolve()
  #isCutOff = false

  constructor(options: ImportServiceOptions, request: ImportRequest, start: ImportRow, pricing: Pricing) {
    this.#options = options
    this.#request = request
    this.#start = start
    this.#row = start
    this.#pricing = pricing
    const path = request.isDryRun ? undefined : request.rejectedPath
    this.#file = path === undefined ? undefined : new RejectedFile(path)
  }

  async run(): Promise<ImportResult> {
    const { source, signal, onStart } = this.#request
    onStart(toCounts(this.#start), this.#start.bytes_done)
    await this.#file?.restore(this.#start.rejected_bytes)
    try {
      await this.#read(source.chunks(this.#start.bytes_done, signal))
    } catch (error) {
      if (!signal.aborted) throw error
    }
    if (!signal.aborted) await this.#startWriting()
    await this.#writing
    return this.#result(signal.aborted)
  }

  async #read(chunks: AsyncIterable<Buffer>): Promise<void> {
    const { signal } = this.#request
    for await (const lines of splitLines(chunks, this.#options.maxLineBytes)) {
      for (const line of lines) {
        this.#take(line)
        if (this.#step.isFull) await this.#startWriting()
        if (signal.aborted) return
      }
      // Lets the event loop process responses of the database, and signals.
      await turn()
    }
  }

  #result(isStopped: boolean): ImportResult {
    const [before, after] = [toCounts(this.#start), toCounts(this.#row)]
    const isOld = this.#start.bytes_done > 0 && this.#start.bytes_done === this.#row.bytes_done
    const outcome = isOld ? 'nothing new' : 'done'
    return { before, after, outcome: isStopped ? 'stopped' : outcome, isCutOff: this.#isCutOff }
  }

  #take(raw: RawLine): void {
    const step = this.#step
    const number = this.#row.lines_done + step.lines + 1
    const line = number === 1 ? withoutByteOrderMark(raw) : raw
    // The line may be incomplete, because the file is still being written or copied.
    if (!line.isEnded && !isBlank(line.bytes) && !isObject(line)) {
      this.#isCutOff = true
      return
    }
    // A last line without a line feed is counted later, when a run reads its line feed.
    if (line.isEnded) step.lines += 1
    step.bytes += line.length
    if (isBlank(line.bytes)) return
    try {
      this.#add(parseLine(line, this.#options.maxLineBytes))
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      step.rejected.push({ line: number, error: error.message, text: line.bytes.toString('utf8') })
    }
  }

  #add(value: unknown): void {
    const request = this.#options.checkLine(value)
    const record = toRecord(request.cost_source === 'computed' ? { ...request, cost: null } : request)
    const trace = toNewTrace(this.#request.projectId, record, this.#pricing)
    const scores = scoresOf(trace, request)
    this.#step.traces.push(trace)
    this.#step.scores.push(...scores)
  }

  /** Waits until the previous step is written, and starts to write this one. */
  async #startWriting(): Promise<void> {
    const step = this.#step
    this.#step = new Step()
    await this.#writing
    if (step.bytes === 0 || this.#request.signal.aborted) return
    const { bytes_done, lines_done, imported, rejected } = this.#row
    this.#row = {
      ...this.#row,
      bytes_from: bytes_done,
      bytes_done: bytes_done + step.bytes,
      lines_done: lines_done + step.lines,
      imported: imported + step.traces.length,
      rejected: rejected + step.rejected.length,
    }
    this.#writing = this.#write(step, this.#row)
    // The next call awaits it; this handler prevents an unhandled rejection until then.
    this.#writing.catch(() => {})
    await turn()
  }

  async #write(step: Step, row: ImportRow): Promise<void> {
    if (!this.#request.isDryRun) {
      await this.#file?.append(step.rejected)
      await pause(pauseMs)
      row.rejected_bytes = this.#file?.bytes ?? 0
      row.updated_at = Date.now()
      const canResume = this.#request.source.head.length > 0
      await this.#insert(step, canResume ? [progressUpsert(row)] : [])
    }
    for (const line of step.rejected) this.#request.onRejected(line)
    this.#request.onProgress(toCounts(row))
  }

  async #insert(step: Step, progress: ReturnType<typeof progressUpsert>[]): Promise<void> {
    const outcome = await this.#options.store.insert(step.traces, [scoreInsert(step.scores), ...progress])
    if (outcome === 'import_conflict') {
      throw new CairnError('conflict', 'another import of this file is running; nothing was written twice')
    }
    if (outcome === 'no_project') throw new CairnError('not_found', 'project not found')
    if (outcome === 'taken') throw new CairnError('conflict', 'a trace of this file already exists')
  }
}
