/** A line of a table: a row of values with its label, a row of column heads, or a line of one cell. */
export interface TableLine {
  /** The cells as they are, empty ones included. */
  cells: readonly string[]
  /** The values after the label, if all of them are numbers, dashes or "n/a"; cells with marks between them are all values. */
  values?: readonly string[]
  label: string
  /** Whether marks (bars, commas) separate the cells, so that empty cells are known. */
  isMarked: boolean
  /** Whether it is a comma-separated record, which several of its cells may name. */
  isRecord: boolean
}

/** What a data row says: the whole row, and each of its cells with the heads of its row and column. */
export interface TableRow {
  text: string
  cells: readonly string[]
  label: string
}

const number = String.raw`\d(?:[\d.,’']*\d)?`
const currency = '(?:[$€£¥]|US\\$|USD|EUR|CHF)'
const value = new RegExp(
  String.raw`(?:${currency}\s?)?(?:\(\s?(?:${currency}\s?)?${number}\s?\)|[-–−+]?\s?(?:${currency}\s?)?${number})(?:\s?%|\s?[€£]|\s?(?:x|pts?|bps)(?![\p{L}]))?|[—–-]+(?!\S)\s?%?|(?:n/a|n/m|nm|n\.m\.|k\.\s?a\.)(?!\p{L})`,
  'giu',
)
const timeHead =
  /^(?:(?:FY|Q[1-4]|[1-4]Q|H[12]|CY)\s?['’]?(?:\d{2}|\d{4})?(?:\s?FY\s?\d{2,4})?|(?:19|20)\d\d(?:[/–-]\d{2,4})?[A-Z*]?|(?:\p{L}+\.?\s)?\d{1,2}(?:st|nd|rd|th)?,?(?:\s\p{L}+)?\s(?:19|20)\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\p{L}+\.?\s(?:19|20)\d\d|[1-4](?:st|nd|rd|th)? quarter|total|change|% change)$/iu
const timeWords =
  /^(?:(?:for )?(?:the )?(?:(?:fiscal|financial|three|six|nine|twelve|thirteen|fourteen|\d{1,2})[ -])*(?:years?|quarters?|months?|weeks?)(?: (?:ended|ending)\b.*)?|(?:(?:as )?(?:of|at) )?(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2},?|as (?:of|at) .*|geschäftsjahr|exercice|ejercicio)$/iu
const unitPattern =
  /(?:\bin (millions|thousands|billions|hundreds)\b|\((millions|thousands|billions)\)|\b(?:in|en) ((?:Mio|Mrd|Tsd|T|Mill)\.? ?(?:€|EUR|Euro)?|(?:Millionen|Milliarden|Tausend)(?: Euro| EUR| €| Franken)?|(?:millions|milliers|milliards) d(?:['’]euros|e dollars|e francs)|(?:millones|miles)(?: de (?:euros|dólares|pesos))?)(?!\p{L}))/iu
/** Such rows do not have the unit of the table. */
const ownUnit =
  /\bper\b|%|percent|ratio|\brate\b|margin|number of|employees|headcount|\bstores\b|warehouses|shares|\bje\b|\bpro\b|quote|\bpar (?:action|titre)|por acción|mitarbeit|anzahl/iu
const maxHeadLength = 60
const isNumber = /^[^\p{L}%]*\d[^\p{L}%]*$/u
/** Longest cell of a record that names it, and the number of such cells. */
const [maxNameLength, maxNames] = [40, 4]
/** A shorter record is a passage as a whole only. */
const maxRecordLength = 160
const maxHeadRows = 4
const maxPreamble = 8
/** Cells of a very wide row are not passages of their own. */
const maxColumns = 16

/** Longer lines without cells are prose, and longer lines are no rows. */
const [maxPlainLength, maxLineLength] = [90, 2_000]

/** A line as a part of a table; undefined for prose. */
export function tableLineOf(text: string, recordCells: readonly string[] | undefined): TableLine | undefined {
  if (text.length > maxLineLength) return undefined
  const line = tableLine(text, recordCells)
  const isPlain = text.length <= maxPlainLength && !text.includes('\n') && !/[.!?]$/.test(text)
  return line.cells.length > 1 || isPlain ? line : undefined
}

/** The cells of a line with its empty cells. `recordCells` are those of a comma-separated line. */
function tableLine(text: string, recordCells: readonly string[] | undefined): TableLine {
  const flat = text.replace(/(?<!\.)\.(?: ?\.){3,}/g, '  ').trim()
  const isBarred = /^\||\s\|\s|\|$|\|\s/.test(flat)
  const raw =
    recordCells ??
    (isBarred ? flat.replace(/^\||\|$/g, '').split('|') : flat.split(/(?<=\S)(?:\t+| {2,})(?=\S)/))
  const cells = raw.map((cell) => cell.replace(/\s+/g, ' ').trim())
  const [first = '', ...rest] = cells
  const label = first.replace(/\s*:$/, '')
  if (recordCells || isBarred) {
    return {
      cells,
      label,
      isMarked: true,
      isRecord: !!recordCells,
      ...(rest.some((cell) => /[\p{L}\d]/u.test(cell)) && { values: rest }),
    }
  }
  const all = valuesIn(cells.join(' '))
  const values = isValue(first) ? all : valuesIn(rest.join(' '))
  const hasValues = values?.some((each) => /\d/.test(each))
  return {
    cells,
    label: values === all ? '' : label,
    isMarked: false,
    isRecord: false,
    ...(values && hasValues && { values }),
  }
}

function isValue(text: string): boolean {
  return valuesIn(text)?.length === 1
}

/** The values of a text; undefined if it has other words. A currency sign in a cell of its own joins its number. */
function valuesIn(text: string): string[] | undefined {
  if (text === '') return []
  const found = text.match(value) ?? []
  if (text.replace(value, '').trim() !== '') return undefined
  return found.map((each) =>
    each
      .replace(/([$€£¥(])\s+/g, '$1')
      .replace(/\s+([)%])/g, '$1')
      .trim(),
  )
}

interface Heads {
  /** One per column of values. */
  names: readonly string[]
  /** In the singular: "million". */
  unit: string
  /** As the document writes it: "in millions". */
  writtenUnit: string
}

/** Reads the lines of a chunk in order; knows the column heads, the unit and the row group of each row. */
export class TableReader {
  readonly #lines: readonly (TableLine | undefined)[]
  readonly #texts: readonly string[]
  /** Indexes of the lines that are heads of a table, with the table's heads at the last one. */
  readonly #headRows = new Map<number, Heads | undefined>()
  #heads: Heads | undefined
  #group = ''
  #groupUnit = ''

  /** `lines` are undefined for prose. */
  constructor(texts: readonly string[], lines: readonly (TableLine | undefined)[]) {
    this.#texts = texts
    this.#lines = lines
    for (const index of lines.keys()) this.#findHeads(index)
  }

  /** The heads of the columns after the last row that was read, as one line with bars that this class can read; or ''. */
  get openHeads(): string {
    if (!this.#heads) return ''
    const { names, writtenUnit } = this.#heads
    return [...(writtenUnit === '' ? [] : [`(${writtenUnit})`]), ...names].join(' | ')
  }

  isHead(index: number): boolean {
    return this.#headRows.has(index)
  }

  /** The data row at an index, or undefined if it is none, or has other columns than the heads. Call it for each line in order. */
  row(index: number): TableRow | undefined {
    const line = this.#lines[index]
    if (this.#headRows.has(index)) {
      this.#heads = this.#headRows.get(index) ?? this.#heads
      this.#group = ''
      this.#groupUnit = ''
      return undefined
    }
    if (!line) {
      this.#heads = undefined
      return undefined
    }
    if (line.cells.length === 1) {
      this.#openGroup(line.cells[0] ?? '')
      return undefined
    }
    const { values, label } = line
    const heads = this.#heads
    if (!heads || !values || values.length !== heads.names.length || values.length > maxColumns)
      return undefined
    // A sum ends the group of its rows.
    if (/^(?:total|summe|gesamt|somme|suma)\b|^$/i.test(label)) this.#group = ''
    if (label === '') return undefined
    const named = this.#group === '' ? label : `${this.#group}, ${label}`
    return rowOf({ ...line, label: named }, values, { ...heads, unit: this.#groupUnit || heads.unit })
  }

  #openGroup(cell: string): void {
    if (timeWords.test(cell)) return
    const unit = unitIn(cell)
    this.#group = cell
      .replace(/\s*\([^()]*\)\s*:?$/, '')
      .replace(/\s*[:,]$/, '')
      .trim()
    this.#groupUnit = unit
    if (this.#group.length > maxHeadLength) this.#group = ''
  }

  /** Marks the rows of heads that end at an index, if a row with as many values follows. */
  #findHeads(index: number): void {
    const columns = this.#columnsAfter(index)
    const line = this.#lines[index]
    if (!line || columns === 0 || line.cells.length < 2 || !areHeads(line)) return
    // Rows with marks between their cells have heads only at their beginning.
    if (line.isMarked && this.#lines[index - 1]?.isMarked) return
    const names = this.#namesOf(line.cells, columns)
    if (!names) return
    let first = index
    let composed = names
    while (index - first < maxHeadRows - 1) {
      const above = this.#lines[first - 1]
      const groups = above && !this.#headRows.has(first - 1) && groupHeads(above, composed)
      if (!groups) break
      composed = composed.map((name, column) => `${groups[column]} ${name}`.trim())
      first--
    }
    const unitLine = this.#unitLineAbove(index, first)
    const writtenUnit = (unitPattern.exec(unitLine)?.[0] ?? '').replace(/[()]/g, '')
    for (let at = first; at < index; at++) this.#headRows.set(at, undefined)
    this.#headRows.set(index, { names: composed, unit: unitIn(unitLine), writtenUnit })
  }

  /** The number of values in the first data row after an index, which one line of a single cell at most may precede. */
  #columnsAfter(index: number): number {
    for (let at = index + 1; at <= index + 3; at++) {
      const line = this.#lines[at]
      if (!line) return 0
      if (line.isMarked && areHeads(line)) return 0
      if (line.values) return line.values.length
      if (line.cells.length > 1) return 0
    }
    return 0
  }

  #namesOf(cells: readonly string[], columns: number): readonly string[] | undefined {
    const [first = '', ...rest] = cells
    // "Years ended May 31," is no column of its own, so with as many heads as values, one head has several columns.
    if (cells.length === columns) return timeWords.test(first) && !timeHead.test(first) ? undefined : cells
    if (cells.length !== columns + 1) return undefined
    // A time without a value would be of a column whose cell is empty.
    if (timeHead.test(first)) return undefined
    // Otherwise the first cell is the head of the labels, or the unit.
    return timeWords.test(first)
      ? rest.map((name) => (timeHead.test(name) ? `${first} ${name}` : name))
      : rest
  }

  #unitLineAbove(index: number, first: number): string {
    for (let at = index; at >= 0 && at > first - maxPreamble; at--) {
      if (at < first && this.#lines[at]?.values) break
      const text = this.#texts[at] ?? ''
      if (unitIn(text) !== '') return text
    }
    return ''
  }
}

/** Column heads: times, or words without digits. Between marks, each cell with a letter may be one. */
function areHeads({ cells, isMarked }: TableLine): boolean {
  const [first = '', ...rest] = cells
  const words = isMarked ? /\p{L}/u : /^[^\d]*\p{L}[^\d]*$/u
  const isHead = (cell: string) =>
    timeHead.test(cell) || timeWords.test(cell) || (cell.length <= maxHeadLength && words.test(cell))
  return rest.every(isHead) && (first === '' || isHead(first) || unitIn(first) !== '')
}

/** The head above each column: of a row of fewer heads, or of one line above all columns. */
function groupHeads(line: TableLine, names: readonly string[]): readonly string[] | undefined {
  const { cells } = line
  const [first = ''] = cells
  if (cells.length === 1) return timeWords.test(first) ? names.map(() => first) : undefined
  if (!areHeads(line) || cells.length >= names.length) return undefined
  const restarts = names.flatMap((name, column) => (name === names[0] ? [column] : []))
  const size = names.length / cells.length
  const starts =
    restarts.length === cells.length
      ? restarts
      : Number.isInteger(size)
        ? cells.map((_, group) => group * size)
        : undefined
  return starts && names.map((_, column) => cells[starts.findLastIndex((start) => start <= column)] ?? '')
}

/** The unit that a text names, in the singular: "million" for "(in millions)". */
function unitIn(text: string): string {
  const [, words, bare, other = ''] = unitPattern.exec(text) ?? []
  const english = words ?? bare
  return english ? english.toLowerCase().replace(/s$/, '') : other.trim()
}

function rowOf({ label, isRecord }: TableLine, values: readonly string[], { names, unit }: Heads): TableRow {
  const columns = values.map((each, column) => {
    const name = names[column] ?? ''
    const isPlain = isNumber.test(each) && !ownUnit.test(`${label} ${name}`)
    return { name, text: unit !== '' && isPlain ? `${each} ${unit}` : each }
  })
  const filled = columns.filter(({ text }) => text !== '')
  // Several cells of a record may be needed to name it: "Heron Trail, green".
  const naming = filled.filter(({ text }) => isRecord && /\p{L}/u.test(text) && text.length <= maxNameLength)
  const whole = [label, ...naming.slice(0, maxNames).map(({ text }) => text)].join(', ')
  const cells = filled.filter(({ text }) => (isRecord ? !/\p{L}/u.test(text) : /[\p{L}\d]/u.test(text)))
  const text = `${label}: ${filled.map((column) => `${column.name} ${column.text}`.trim()).join('; ')}`
  const isShort = isRecord && text.length <= maxRecordLength
  return {
    text,
    cells: isShort
      ? []
      : cells.map(({ text, name }) =>
          isTime(name) ? `${whole}, ${name}: ${text}` : `${name}, ${whole}: ${text}`,
        ),
    label,
  }
}

function isTime(name: string): boolean {
  return timeHead.test(name) || timeWords.test(name.replace(/,? (?:19|20)\d\d$/, ''))
}
