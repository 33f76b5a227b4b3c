import type { ExportFormat, Trace } from '@cairn/contract'
import { stringify } from 'csv-stringify/sync'

export const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
}

type Cell = string | number | null

/**
 * A leading quote on text that a spreadsheet would run as a formula (OWASP "CSV injection"), and on text that
 * starts with a quote already, so that removing one quote restores every cell.
 */
export function guardFormula(text: string): string {
  return /^[=+\-@\t\r']/.test(text) ? `'${text}` : text
}

function text(value: string | null): Cell {
  return value === null ? null : guardFormula(value)
}

function json(value: unknown): Cell {
  return JSON.stringify(value)
}

/** The columns in their decided order. */
const columns: [name: string, cell: (trace: Trace) => Cell][] = [
  ['trace_id', (trace) => trace.trace_id],
  ['created_at', (trace) => trace.created_at],
  ['status', (trace) => trace.status],
  ['model', (trace) => text(trace.model)],
  ['version', (trace) => text(trace.version)],
  ['session_id', (trace) => text(trace.session_id)],
  ['user_id', (trace) => text(trace.user_id)],
  ['environment', (trace) => text(trace.environment)],
  ['latency_ms', (trace) => trace.latency_ms],
  ['cost', (trace) => trace.cost],
  ['prompt_tokens', (trace) => trace.token_usage?.prompt_tokens ?? null],
  ['completion_tokens', (trace) => trace.token_usage?.completion_tokens ?? null],
  ['total_tokens', (trace) => trace.token_usage?.total_tokens ?? null],
  ['input', (trace) => text(trace.input)],
  ['output', (trace) => text(trace.output)],
  ['error', (trace) => text(trace.error)],
  ['tags', (trace) => json(trace.tags)],
  ['metadata', (trace) => json(trace.metadata)],
  ['custom_attributes', (trace) => json(trace.custom_attributes)],
  ['tool_calls', (trace) => json(trace.tool_calls)],
  ['spans', (trace) => json(trace.spans)],
  ['scores', (trace) => json(trace.scores)],
]

function csvLine(cells: Cell[]): string {
  // Without the second option a cell with a bare line feed or carriage return goes unquoted.
  return stringify([cells], { record_delimiter: 'windows', quote_record_delimiter: true })
}

interface Writer {
  head: string
  row: (trace: Trace, first: boolean) => string
  tail: string
}

const writers: Record<ExportFormat, Writer> = {
  csv: {
    head: csvLine(columns.map(([name]) => name)),
    row: (trace) => csvLine(columns.map(([, cell]) => cell(trace))),
    tail: '',
  },
  json: { head: '[', row: (trace, first) => `${first ? '' : ',\n'}${JSON.stringify(trace)}`, tail: ']\n' },
  jsonl: { head: '', row: (trace) => `${JSON.stringify(trace)}\n`, tail: '' },
}

/** Small rows are sent together: a stream pays for each piece. */
const pieceLength = 64 * 1024

/** The file, piece by piece. */
export async function* formatExport(
  traces: AsyncIterable<Trace>,
  format: ExportFormat,
): AsyncGenerator<string> {
  const { head, row, tail } = writers[format]
  let piece = head
  let first = true
  for await (const trace of traces) {
    piece += row(trace, first)
    first = false
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  yield piece + tail
}
