import { parse } from 'csv-parse/sync'
import { FormatError, messageOf, type ReadCases } from './read.ts'

const newline = 10
const delimiters = [',', ';', '\t']

export interface CsvRow {
  /** Line number of the start of the record, from 1. */
  line: number
  cells: string[]
}

/** The most frequent delimiter of the first line; spreadsheets in many countries write semicolons. */
function delimiterOf(text: string): string {
  const head = text.slice(0, text.search(/[\r\n]|$/))
  const counts = delimiters.map((each) => head.split(each).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

/** The header and the records that are not empty. @throws FormatError */
export function readRecords(text: string): { header: string[]; rows: CsvRow[] } {
  const rows: CsvRow[] = []
  const bytes = Buffer.from(text.replace(/^\uFEFF/, ''))
  let [line, at] = [1, 0]
  try {
    parse(bytes, {
      delimiter: delimiterOf(text),
      relax_column_count: true,
      on_record: (cells: string[], info) => {
        if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells })
        // The parser's own line count counts a CRLF within quotes twice.
        for (; at < info.bytes; at++) if (bytes[at] === newline) line++
        return null
      },
    })
  } catch (error) {
    throw new FormatError(`it is not valid CSV: ${messageOf(error)}`)
  }
  const [header, ...records] = rows
  if (!header) throw new FormatError('it is empty; the first line of a CSV file names the columns')
  return { header: header.cells.map((name) => name.trim()), rows: records }
}

/** Accepted names of the columns. */
const columnNames: Record<string, readonly string[]> = {
  query: ['query', 'input', 'question', 'prompt'],
  expected_answer: ['expected_answer', 'expected', 'output', 'answer', 'expected_output', 'reference'],
  category: ['category'],
  assertions: ['assertions'],
}

function fieldOf(column: string): string | undefined {
  const name = column.toLowerCase().replace(/[\s-]+/g, '_')
  return Object.keys(columnNames).find((field) => columnNames[field]?.includes(name))
}

function fieldsOf(header: readonly string[]): (string | undefined)[] {
  const fields = header.map(fieldOf)
  for (const field of Object.keys(columnNames)) {
    const columns = header.filter((_, at) => fields[at] === field)
    if (columns.length > 1) {
      throw new FormatError(`the columns ${columns.join(' and ')} both name the ${field}; rename one`)
    }
  }
  if (!fields.includes('query')) {
    const names = columnNames.query?.join(', ')
    throw new FormatError(`no column is named ${names}; it has ${header.join(', ')}`)
  }
  return fields
}

/** Throws if the assertions cell is not valid JSON. */
function caseOf(fields: readonly (string | undefined)[], cells: readonly string[]): object {
  const value: Record<string, unknown> = {}
  for (const [at, field] of fields.entries()) {
    const cell = cells[at] ?? ''
    if (field === undefined || cell.trim() === '') continue
    value[field] = field === 'assertions' ? JSON.parse(cell) : cell
  }
  // Without an expected answer, the case is checked by its assertions only.
  if (value.expected_answer === undefined && value.assertions !== undefined) value.expected_answer = ''
  return value
}

/** Cases from CSV with a header line. @throws FormatError */
export function readCsv(text: string): ReadCases {
  const { header, rows } = readRecords(text)
  const fields = fieldsOf(header)
  const others = header.filter((_, at) => fields[at] === undefined)
  const result: ReadCases = {
    cases: [],
    bad: [],
    notes: others.map((name) => `the column ${name} has no place in a case`),
  }
  for (const { line, cells } of rows) {
    const place = `line ${line}`
    if (cells.length > header.length) {
      const error = `it has ${cells.length} cells, but the header has ${header.length} columns`
      result.bad.push({ place, error })
      continue
    }
    try {
      result.cases.push({ place, value: caseOf(fields, cells) })
    } catch (error) {
      result.bad.push({ place, error: `assertions: ${messageOf(error)}` })
    }
  }
  return result
}
