import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { CairnError } from '@cairn/contract'
import { type ImportRow, progressUpsert } from '../store/index.ts'
import type { RawRecord } from './lines.ts'
import { isBlank, withoutByteOrderMark } from './parse.ts'
import { RejectedFile, type RejectedLine } from './rejected.ts'
import type { ImportSource } from './source.ts'
import type { ImportTarget } from './target.ts'

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
  /** Records that were imported. */
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

/** The records of one transaction. */
class Step<Row> {
  readonly rows: Row[] = []
  readonly rejected: RejectedLine[] = []
  lines = 0
  bytes = 0

  get isFull(): boolean {
    const records = this.rows.length + this.rejected.length
    return Math.max(records, this.lines) >= maxStep.lines || this.bytes >= maxStep.bytes
  }
}

function toCounts(row: ImportRow): ImportCounts {
  return { lines: row.lines_done, imported: row.imported, rejected: row.rejected }
}

/** One run of an import. It parses the next step while the current one is written. */
export class Run<Row> {
  readonly #target: ImportTarget<Row>
  readonly #request: ImportRequest
  readonly #start: ImportRow
  readonly #file: RejectedFile | undefined
  /** The progress after the last step whose writing has started. */
  #row: ImportRow
  #step = new Step<Row>()
  #writing: Promise<void> = Promise.resolve()
  #isCutOff = false

  constructor(target: ImportTarget<Row>, request: ImportRequest, start: ImportRow) {
    this.#target = target
    this.#request = request
    this.#start = start
    this.#row = start
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
    for await (const records of this.#target.split(chunks)) {
      for (const record of records) {
        this.#take(record)
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

  #take(raw: RawRecord): void {
    const step = this.#step
    const line = this.#row.lines_done + step.lines + raw.linesBefore + 1
    const record = line === 1 ? withoutByteOrderMark(raw) : raw
    // The record may be incomplete, because the file is still being written or copied.
    if (!record.isEnded && !isBlank(record.bytes) && !this.#target.isWhole(record)) {
      this.#isCutOff = true
      return
    }
    // A last line without a line feed is counted later, when a run reads its line feed.
    step.lines += record.lines
    step.bytes += record.length
    if (isBlank(record.bytes)) return
    try {
      const row = this.#target.read(record)
      if (row !== undefined) step.rows.push(row)
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      step.rejected.push({ line, error: error.message, text: record.bytes.toString('utf8') })
    }
  }

  /** Waits until the previous step is written, and starts to write this one. */
  async #startWriting(): Promise<void> {
    const step = this.#step
    this.#step = new Step<Row>()
    await this.#writing
    if (step.bytes === 0 || this.#request.signal.aborted) return
    const { bytes_done, lines_done, imported, rejected } = this.#row
    this.#row = {
      ...this.#row,
      bytes_from: bytes_done,
      bytes_done: bytes_done + step.bytes,
      lines_done: lines_done + step.lines,
      imported: imported + step.rows.length,
      rejected: rejected + step.rejected.length,
    }
    this.#writing = this.#write(step, this.#row)
    // The next call awaits it; this handler prevents an unhandled rejection until then.
    this.#writing.catch(() => {})
    await turn()
  }

  async #write(step: Step<Row>, row: ImportRow): Promise<void> {
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

  async #insert(step: Step<Row>, progress: ReturnType<typeof progressUpsert>[]): Promise<void> {
    const outcome = await this.#target.write(step.rows, progress)
    if (outcome === 'import_conflict') {
      throw new CairnError('conflict', 'another import of this file is running; nothing was written twice')
    }
    if (outcome === 'no_project') throw new CairnError('not_found', 'project not found')
    if (outcome === 'taken') throw new CairnError('conflict', 'a trace of this file already exists')
  }
}
