import { CairnError, type ImportedTrace } from '@cairn/contract'
import { parseIso } from '../../../lib/time.ts'
import type { Pricing } from '../../prices/index.ts'
import { type ScoreRow, scoreInsert, toScoreRow } from '../../scores/index.ts'
import { type NewTrace, toNewTrace } from '../facts.ts'
import { toRecord } from '../record.ts'
import type { progressUpsert } from '../store/index.ts'
import type { TraceStore, WriteRejection } from '../store.ts'
import { type RawRecord, splitLines } from './lines.ts'
import { isObject, parseRecord } from './parse.ts'

/** A statement that stores the progress of an import. */
export type ImportProgress = ReturnType<typeof progressUpsert>

/** The content of a file, and where its rows go. One run of an import uses it. */
export interface ImportTarget<Row> {
  /** Splits the content into records. Yields the records of each chunk. */
  split(chunks: AsyncIterable<Buffer>): AsyncIterable<RawRecord[]>
  /** Whether the last record of a file is complete although it is not ended. */
  isWhole(record: RawRecord): boolean
  /**
   * Reads a record. Undefined for a record without data, such as the header of a table.
   * @throws CairnError with the reason why the record is rejected
   */
  read(record: RawRecord): Row | undefined
  /** Writes the rows of a step and the progress of the import in one transaction. */
  write(rows: readonly Row[], progress: readonly ImportProgress[]): Promise<'inserted' | WriteRejection>
}

interface TraceRow {
  trace: NewTrace
  scores: readonly ScoreRow[]
}

interface Options {
  projectId: string
  store: TraceStore
  pricing: Pricing
  checkLine: (value: unknown) => ImportedTrace
  maxLineBytes: number
}

/** Our own format: a trace on each line. */
export function traceTarget({
  projectId,
  store,
  pricing,
  checkLine,
  maxLineBytes,
}: Options): ImportTarget<TraceRow> {
  return {
    split: (chunks) => splitLines(chunks, maxLineBytes),
    isWhole: isObject,
    read(line) {
      const request = checkLine(parseRecord(line, maxLineBytes))
      const record = toRecord(request.cost_source === 'computed' ? { ...request, cost: null } : request)
      const trace = toNewTrace(projectId, record, pricing)
      return { trace, scores: scoresOf(trace, request) }
    },
    write(rows, progress) {
      const scores = rows.flatMap((row) => row.scores)
      const traces = rows.map(({ trace }) => trace)
      return store.insert(traces, [scoreInsert(scores), ...progress])
    },
  }
}

/** The scores of a line, oldest first. They are reversed, because an export lists the newest first. */
function scoresOf(trace: NewTrace, { scores }: ImportedTrace): ScoreRow[] {
  const of = { projectId: trace.facts.projectId, traceId: trace.traceId }
  return (scores ?? []).toReversed().map((score) => {
    const createdMs = score.created_at == null ? trace.facts.createdMs : parseIso(score.created_at)
    if (createdMs === undefined) {
      throw new CairnError('invalid_request', "a score's created_at must be an ISO 8601 date-time")
    }
    return toScoreRow(of, score, createdMs)
  })
}
