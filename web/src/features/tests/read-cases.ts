import type { CreateCase } from '@cairn/sdk'

/** A record of the text with its case, or with the problem that prevents one. */
export interface ReadCase {
  /** First line of the record, from 1. */
  line: number
  source: string
  value?: CreateCase
  problem?: string
}

export interface ReadCases {
  /** The header line of CSV with its line break; empty for JSON Lines. */
  header: string
  cases: ReadCase[]
  /** Columns that are no field of a case. */
  unknown: string[]
  /** The reason why the whole text cannot be read. */
  problem?: string
}

/** Accepted column names, the same as in `cairn import-cases`. */
const columnNames = {
  query: ['query', 'input', 'question', 'prompt'],
  expected_answer: ['expected_answer', 'expected', 'output', 'answer', 'expected_output', 'reference'],
  category: ['category'],
  assertions: ['assertions'],
} as const
type CaseField = keyof typeof columnNames

/** Reads JSON Lines if the text begins with an object, else CSV with a header line. */
export function readCases(text: string): ReadCases {
  const content = text.replace(/^\uFEFF/, '')
  return content.trimStart().startsWith('{') ? readJsonLines(content) : readCsv(content)
}

function readJsonLines(text: string): ReadCases {
  const cases: ReadCase[] = []
  for (const [at, source] of text.split('\n').entries()) {
    if (source.trim() === '') continue
    const record = { line: at + 1, source: `${source}\n` }
    try {
      cases.push({ ...record, value: JSON.parse(source) as CreateCase })
    } catch (error) {
      cases.push({ ...record, problem: `it is no JSON: ${(error as Error).message}` })
    }
  }
  return { header: '', cases, unknown: [] }
}

function readCsv(text: string): ReadCases {
  const nothing: ReadCases = { header: '', cases: [], unknown: [] }
  const [head, ...records] = recordsOf(text, delimiterOf(text))
  if (!head) return nothing
  const names = head.cells.map((name) => name.trim())
  const fields = names.map(fieldOf)
  if (!fields.includes('query')) {
    return {
      ...nothing,
      problem: `no column is named ${columnNames.query.join(', ')}; there are: ${names.join(', ')}`,
    }
  }
  const twice = fields.find((field, at) => field && fields.indexOf(field) !== at)
  if (twice) return { ...nothing, problem: `two columns name the ${twice}; rename one` }
  return {
    header: head.source,
    unknown: names.filter((_, at) => !fields[at]),
    cases: records.map(({ cells, ...record }) => ({ ...record, ...caseOf(fields, cells) })),
  }
}

function fieldOf(column: string): CaseField | undefined {
  const name = column.toLowerCase().replace(/[\s-]+/g, '_')
  const fields = Object.keys(columnNames) as CaseField[]
  return fields.find((field) => (columnNames[field] as readonly string[]).includes(name))
}

function caseOf(
  fields: readonly (CaseField | undefined)[],
  cells: readonly string[],
): Pick<ReadCase, 'value' | 'problem'> {
  if (cells.length > fields.length) {
    return { problem: `it has ${cells.length} cells, and the header names ${fields.length} columns` }
  }
  const value: CreateCase = {}
  for (const [at, field] of fields.entries()) {
    const cell = cells[at] ?? ''
    if (!field || cell.trim() === '') continue
    if (field !== 'assertions') value[field] = cell
    else {
      try {
        value.assertions = JSON.parse(cell)
      } catch (error) {
        return { problem: `assertions: ${(error as Error).message}` }
      }
    }
  }
  // With assertions alone, a missing expected answer is an empty one, so that no scorer runs.
  if (value.expected_answer === undefined && value.assertions != null) value.expected_answer = ''
  return { value }
}

/** The most frequent delimiter of the first line; spreadsheets in many countries write semicolons. */
function delimiterOf(text: string): string {
  const head = text.slice(0, text.search(/[\r\n]|$/))
  const counts = [',', ';', '\t'].map((each) => [each, head.split(each).length] as const)
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

interface CsvRecord {
  line: number
  source: string
  cells: string[]
}

/** Parses RFC 4180: quoted cells may hold delimiters, line breaks and doubled quotes. Skips blank records. */
function recordsOf(text: string, delimiter: string): CsvRecord[] {
  const records: CsvRecord[] = []
  let [start, line, startLine, quoted] = [0, 1, 1, false]
  let cells: string[] = []
  let cell = ''
  const endRecord = (end: number) => {
    cells.push(cell)
    if (cells.some((each) => each.trim() !== '')) {
      const source = text.slice(start, end)
      records.push({ line: startLine, source: source.endsWith('\n') ? source : `${source}\n`, cells })
    }
    start = end
    startLine = line
    cells = []
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (char === '\n') line++
    if (quoted) {
      if (char !== '"') cell += char
      else if (text[at + 1] === '"') cell += text[++at]
      else quoted = false
    } else if (char === '"' && cell === '') quoted = true
    else if (char === delimiter) {
      cells.push(cell)
      cell = ''
    } else if (char === '\n') endRecord(at + 1)
    else if (char !== '\r') cell += char
  }
  if (start < text.length) endRecord(text.length)
  return records
}
