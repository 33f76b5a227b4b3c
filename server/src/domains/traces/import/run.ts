import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { CairnError, type ImportedTrace } from '@cairn/contract'
import type { Pricing } from '../../prices/index.ts'
import { type ScoreRow, scoreInsert } from '../../scores/index.ts'
import { type NewTrace, toNewTrace } from '../facts.ts'
import { toRecord } from '../record.ts'
import { type ImportRow, type ImportStore, progressUpsert } from '../store/index.ts'
import type { TraceStore } from '../store.ts'
import { type RawLine, splitLines } from './lines.ts'
import { isBlank, isObject, parseLine, scoresOf, withoutMark } from './parse.ts'
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
  /** Where rejected lines are kept aside; without it they are only reported. */
  rejectedPath: string | undefined
  /** Writes nothing. */
  isDryRun: boolean
  /** Imports a file once more that was imported as a whole. */
  isAgain: boolean
  /** Stops behind the transaction in flight. */
  signal: AbortSignal
  /** What earlier runs had done, and how many bytes of the content that was. */
  onStart: (before: ImportCounts, bytes: number) => void
  onProgress: (now: ImportCounts) => void
  onRejected: (line: RejectedLine) => void
}

/** Of the whole file, earlier runs included. */
export interface ImportCounts {
  /** Those that are ended. */
  lines: number
  imported: number
  rejected: number
}

export interface ImportResult {
  /** What earlier runs had done. */
  before: ImportCounts
  after: ImportCounts
  /** `nothing new`: every line had been done before. */
  outcome: 'done' | 'stopped' | 'nothing new'
  /** The file ends in the middle of a line, which is left to be imported when it is whole. */
  isCutOff: boolean
}

/** What one transaction writes; its bytes are those of the lines. */
const maxStep = { lines: 2000, bytes: 8 * 1024 * 1024 }
/** Time between two transactions, in which other processes get their turn: SQLite has one writer. */
const giveWayMs = 2

/** Lines on their way into the database, together. */
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

/** One run of an import. While a step is being written, the next one is parsed. */
export class Run {
  readonly #options: ImportServiceOptions
  readonly #request: ImportRequest
  readonly #start: ImportRow
  readonly #pricing: Pricing
  readonly #file: RejectedFile | undefined
  /** Behind the last step that was handed over. */
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
    if (!signal.aborted) await this.#handOver()
    await this.#writing
    return this.#result(signal.aborted)
  }

  async #read(chunks: AsyncIterable<Buffer>): Promise<void> {
    const { signal } = this.#request
    for await (const lines of splitLines(chunks, this.#options.maxLineBytes)) {
      for (const line of lines) {
        this.#take(line)
        if (this.#step.isFull) await this.#handOver()
        if (signal.aborted) return
      }
      // Lets the answer of the database in, and signals.
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
    const line = number === 1 ? withoutMark(raw) : raw
    // More of it may be on its way: the file is being written, or was copied in part.
    if (!line.isEnded && !isBlank(line.bytes) && !isObject(line)) {
      this.#isCutOff = true
      return
    }
    // The end of the last line may yet come, and then counts it.
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

  /** Begins to write the step as soon as the one before it is written. */
  async #handOver(): Promise<void> {
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
    // Awaited later; until then its failure is nobody's.
    this.#writing.catch(() => {})
    await turn()
  }

  async #write(step: Step, row: ImportRow): Promise<void> {
    if (!this.#request.isDryRun) {
      await this.#file?.append(step.rejected)
      await pause(giveWayMs)
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
    if (outcome === 'import_elsewhere') {
      throw new CairnError('conflict', 'another import of this file is under way; nothing was written twice')
    }
    if (outcome === 'no_project') throw new CairnError('not_found', 'project not found')
    if (outcome === 'taken') throw new CairnError('conflict', 'a trace of this file is stored already')
  }
}
