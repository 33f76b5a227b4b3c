import type { ExportFormat, Trace } from '@cairn/contract'
import { inPieces } from '../../lib/pieces.ts'
import { toStoredScore } from '../scores/index.ts'
import { decodeStored, traceAsJson } from '../traces/index.ts'
import type { ExportRow } from './store.ts'

export const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
}

type Cell = string | number | null

/**
 * Adds a leading quote to text that a spreadsheet would run as a formula (OWASP "CSV injection"). Text that already starts
 * with a quote also gets one, so that the removal of one quote restores every cell.
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

/** The columns, in the order of the file. */
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
  ['name', (trace) => text(trace.name ?? null)],
]

/** Quotes a cell according to RFC 4180. */
function csvCell(cell: Cell): string {
  if (cell === null) return ''
  const text = String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function scoresOf({ scores }: ExportRow): Trace['scores'] {
  return scores.map(toStoredScore)
}

function toTrace(row: ExportRow): Trace {
  return { ...decodeStored(row), scores: scoresOf(row) }
}

function toJson(row: ExportRow): string {
  return traceAsJson(row, scoresOf(row)).toString()
}

interface Writer {
  head: string
  row: (row: ExportRow, first: boolean) => string
  tail: string
}

const writers: Record<ExportFormat, Writer> = {
  csv: {
    head: csvLine(columns.map(([name]) => name)),
    row: (row) => {
      const trace = toTrace(row)
      return csvLine(columns.map(([, cell]) => cell(trace)))
    },
    tail: '',
  },
  json: { head: '[', row: (row, first) => `${first ? '' : ',\n'}${toJson(row)}`, tail: ']\n' },
  jsonl: { head: '', row: (row) => `${toJson(row)}\n`, tail: '' },
}

async function* partsOf(steps: AsyncIterable<ExportRow[]>, format: ExportFormat): AsyncGenerator<string> {
  const { head, row, tail } = writers[format]
  yield head
  let first = true
  for await (const rows of steps) {
    for (const each of rows) {
      yield row(each, first)
      first = false
    }
  }
  yield tail
}

/** The file, piece by piece. Other requests run in between, because an export can wait. */
export function formatExport(
  steps: AsyncIterable<ExportRow[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  return inPieces(partsOf(steps, format))
}
