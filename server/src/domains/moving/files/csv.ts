import { CairnError } from '@cairn/contract'
import { parse } from 'csv-parse/sync'
import { PartialRecord, type RawRecord } from '../../traces/index.ts'

const [lineFeed, quote] = [0x0a, 0x22]

/** Splits CSV into records. A line feed within quotes does not end a record. */
export async function* splitCsv(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<RawRecord[]> {
  const partial = new PartialRecord(maxBytes)
  let [isQuoted, lines] = [false, 0]
  const take = (isEnded: boolean): RawRecord => {
    const { length, ...record } = partial.take()
    const ends = isEnded ? 1 : 0
    const taken = { ...record, length: length + ends, isEnded, lines: lines + ends, linesBefore: 0 }
    lines = 0
    return taken
  }
  for await (const chunk of chunks) {
    const records: RawRecord[] = []
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte === quote) isQuoted = !isQuoted
      else if (byte === lineFeed && isQuoted) lines++
      else if (byte === lineFeed) {
        partial.add(chunk.subarray(from, at))
        records.push(take(true))
        from = at + 1
      }
    }
    if (from < chunk.length) partial.add(chunk.subarray(from))
    yield records
  }
  if (partial.length > 0) yield [take(false)]
}

/** Whether all quotes of a record are closed. */
export function isWholeCsv({ bytes }: RawRecord): boolean {
  return bytes.filter((byte) => byte === quote).length % 2 === 0
}

function cellsOf(bytes: Buffer): string[] {
  try {
    const [cells = []] = parse(bytes, { relax_column_count: true }) as string[][]
    return cells
  } catch {
    throw new CairnError('invalid_request', 'the line is not valid CSV')
  }
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).toString('latin1') === '\u00ef\u00bb\u00bf' ? bytes.subarray(3) : bytes
}

/** Structures are JSON in a cell. */
function parsedCell(cell: string): unknown {
  if (!/^\s*[[{"]/.test(cell)) return cell
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

/** Reads records of CSV as objects. The first record names the columns. */
export class CsvReader {
  readonly #header: Buffer
  readonly #columns: string[]

  /** @throws CairnError if the first bytes of the file contain no names of columns */
  constructor(beginning: Buffer) {
    const end = beginning.indexOf(lineFeed)
    this.#header = withoutMark(end === -1 ? beginning : beginning.subarray(0, end))
    this.#columns = cellsOf(this.#header).map((name) => name.trim())
  }

  /** Undefined for the record with the names. @throws CairnError */
  read({ bytes }: RawRecord): object | undefined {
    if (bytes.equals(this.#header)) return undefined
    const [cells, columns] = [cellsOf(bytes), this.#columns]
    if (cells.length !== columns.length) {
      const counts = `${cells.length} cells, but the header has ${columns.length} columns`
      throw new CairnError('invalid_request', `the line has ${counts}`)
    }
    return Object.fromEntries(columns.map((name, at) => [name, parsedCell(cells[at] ?? '')]))
  }
}
