import {
  areRecords,
  recordCells,
  splitSentences,
  type TableLine,
  TableReader,
  type TableRow,
  tableLineOf,
} from '../../../lib/text.ts'
import { factWithReason } from './reasons.ts'
import { recordSubjects } from './record-subjects.ts'
import { tableHeads, titleOfTable } from './table-context.ts'

/** The smallest part of a chunk that can be in an answer. */
export interface Passage {
  /** The text for an answer: words of the chunk, with collapsed white space and separated cells. */
  text: string
  /** The verbatim text in the chunk, for the citation. */
  snippet: string
  /** The heading or introducing line above the passage in the chunk, or ''. */
  lead: string
  /** The label of a "label: value" passage without its colon, or ''. */
  label: string
  kind: 'sentence' | 'item' | 'row' | 'list'
}

interface Line {
  text: string
  kind: Exclude<Passage['kind'], 'list'> | 'heading' | 'intro'
}

// White space before a bar is matched from its first character only; otherwise a long run of it takes quadratic time.
const cellSeparator = /(?<![.!?•‣◦▪●]["'”’)]?) {2,}|\t+|(?<!\s)\s+\|\s*|\|\s*/
const bullet = /^(?:[-*+•‣◦▪●–—·]|\(?(?:\d{1,3}|[a-z])[.)])\s+/i
const labelPattern = /^([^:.!?]{2,40}):\s/
const maxHeadingLength = 90
/** Ordinary chunks have far fewer lines, but an edited chunk may have thousands. */
const maxLines = 400
/** Missing in lines of braces, and in the separator line of a Markdown table. */
const wordLike = /[\p{L}\p{N}]/u

interface PassageOptions {
  /** Titles of the headings above the chunk. */
  headings?: readonly string[] | undefined
  /** Whether a sentence with the reason for the sentence before it also makes one passage with it. */
  withReasons?: boolean
}

/**
 * Splits a chunk into passages: sentences, list items, table rows. Rows of several "label: value" pairs are split
 * into pairs. A whole list is also a passage, which answers questions for its introduction. Headings, and lines that
 * end with a colon, introduce the following passages; they are passages only if nothing follows. In a table whose column
 * heads are known, each cell is a passage too; `headings` has the heads of a table that begins in an earlier chunk.
 */
export function passagesOf(
  chunkText: string,
  { headings = [], withReasons = false }: PassageOptions = {},
): Passage[] {
  const passages: Passage[] = []
  const own = linesOf(chunkText)
  const carried = tableHeads(headings, own[0]?.text ?? '')
  const heads: Line[] = carried === '' ? [] : [{ text: carried, kind: 'row' }]
  const lines = [...heads, ...own]
  let heading = ''
  let intro = ''
  let header: string[] = []
  const record = recordSubjects()
  let tableTitle = heads.length > 0 ? titleOfTable(headings.at(-2) ?? '') : ''
  const table = new TableReader(
    lines.map(({ text }) => text),
    lines.map(lineOfTable),
  )
  for (const [index, line] of lines.entries()) {
    const tableRow = table.row(index)
    if (index < heads.length) continue
    if (table.isHead(index)) {
      if (!table.isHead(index - 1)) tableTitle = titleOfTable(intro || heading)
      continue
    }
    if (line.kind === 'heading') heading = titleOf(line.text)
    // The first one of two consecutive introductions is a title.
    if (line.kind === 'intro' && intro !== '' && lines[index - 1]?.kind === 'intro') heading = intro
    if (line.kind === 'heading' || line.kind === 'intro') {
      intro = line.kind === 'intro' ? titleOf(line.text) : ''
      continue
    }
    const cells = cellsOf(line.text)
    if (line.kind !== 'row') header = []
    else if (lines[index - 1]?.kind !== 'row') header = isHeader(cells, lines[index + 1]) ? cells : []
    const subject = record(line.text)
    if (tableRow) {
      passages.push(...passagesOfRow(line, tableRow, tableTitle))
    } else if (header !== cells) {
      const made = passagesOfLine(line, cells, header, intro, heading)
      passages.push(...made.map((passage) => (passage.lead === '' ? { ...passage, lead: subject } : passage)))
    }
    if (withReasons) passages.push(...reasonPassage(chunkText, lines[index - 1], line, heading))
    if (line.kind === 'item' && lines[index + 1]?.kind !== 'item') {
      passages.push(...listOf(chunkText, passages, intro, heading))
    }
    if (line.kind !== 'item') intro = ''
  }
  return passages
}

/** Two sentences of a paragraph, if one has the reason for the other. */
function reasonPassage(chunkText: string, before: Line | undefined, line: Line, lead: string): Passage[] {
  if (before?.kind !== 'sentence' || line.kind !== 'sentence') return []
  const snippet = factWithReason(chunkText, before.text, line.text)
  return snippet === undefined ? [] : [{ text: clean(snippet), snippet, lead, label: '', kind: 'sentence' }]
}

/** The items at the end of `passages` as one passage, if there are at least two with an introduction or heading. */
function listOf(chunkText: string, passages: readonly Passage[], intro: string, heading: string): Passage[] {
  const items = passages.slice(passages.findLastIndex(({ kind }) => kind !== 'item') + 1)
  const label = (heading || intro).replace(/\s*:$/, '')
  if (items.length < 2 || label === '') return []
  const title = intro === '' || intro === heading ? `${label}:` : `${label}: ${intro}`
  const text = [title, ...items.map((item) => `- ${item.text}`)].join('\n')
  const [first, last] = [items[0]?.snippet ?? '', items.at(-1)?.snippet ?? '']
  const start = chunkText.indexOf(first)
  const snippet = chunkText.slice(start, chunkText.indexOf(last, start) + last.length)
  return [{ text, snippet, lead: '', label, kind: 'list' }]
}

function passagesOfLine(
  line: Line,
  cells: string[],
  header: string[],
  intro: string,
  heading: string,
): Passage[] {
  const { text: snippet } = line
  const lead = intro || heading
  if (line.kind === 'row') {
    if (cells[0]?.endsWith(':'))
      return pairsOf(cells).map(([label, text]) => ({ text, snippet, lead: heading, label, kind: 'row' }))
    return [{ text: rowText(cells, header), snippet, lead, label: cells[0] ?? '', kind: 'row' }]
  }
  const text = clean(snippet.replace(bullet, ''))
  const label = labelPattern.exec(text)?.[1] ?? ''
  if (line.kind === 'item') return [{ text, snippet, lead, label, kind: 'item' }]
  // A sentence is joined to its introduction.
  return [{ text: intro ? `${intro} ${text}` : text, snippet, lead: heading, label, kind: 'sentence' }]
}

/** A line as a part of a table; undefined for prose. */
function lineOfTable({ text, kind }: Line): TableLine | undefined {
  if (kind === 'item' || (kind === 'sentence' && /[.!?]$/.test(text))) return undefined
  return tableLineOf(text, cellSeparator.test(text.trim()) ? undefined : recordCells(text))
}

/** A table row as a whole, and each of its cells with the heads of its row and column. */
function passagesOfRow({ text: snippet }: Line, { text, label, cells }: TableRow, lead: string): Passage[] {
  const row: Passage = { text, snippet, lead, label, kind: 'row' }
  return [row, ...cells.map((cell) => ({ text: cell, snippet, lead, label, kind: 'row' as const }))]
}

function linesOf(chunkText: string): Line[] {
  const texts = splitSentences(chunkText)
    .map(({ start, end }) => chunkText.slice(start, end))
    .filter((text) => wordLike.test(text))
    .slice(0, maxLines)
  return joinBlocks(
    texts.map((text, index) => ({ text, kind: kindOf(text, texts[index + 1], texts[index - 1]) })),
  )
}

/** Joins up to four short lines after an introducing line, for example an address. */
function joinBlocks(lines: readonly Line[]): Line[] {
  const joined: Line[] = []
  let [open, count] = [false, 0]
  for (const line of lines) {
    const last = joined.at(-1)
    const isPart = line.kind === 'heading' || (line.kind === 'sentence' && !/[.!?]$/.test(line.text))
    if (open && last && isPart && count < 4) {
      if (count++ === 0) joined.push({ ...line, kind: 'sentence' })
      else last.text += `\n${line.text}`
      continue
    }
    open = line.kind === 'intro'
    count = 0
    joined.push(line)
  }
  return joined
}

function kindOf(text: string, next: string | undefined, previous: string | undefined): Line['kind'] {
  if (cellSeparator.test(text.trim()) && cellsOf(text).length > 1) return 'row'
  if (areRecords(text, next ?? '') || areRecords(text, previous ?? '')) return 'row'
  if (bullet.test(text)) return 'item'
  if (next === undefined) return 'sentence'
  if (/:$/.test(text)) return 'intro'
  const isShortLine = text.length <= maxHeadingLength && !text.includes('\n')
  return isShortLine && !/[.!?;,。]["'”’)]*$|:\s|\s=\s|[{}]/.test(text) ? 'heading' : 'sentence'
}

function cellsOf(text: string): string[] {
  const cells = cellSeparator.test(text.trim()) ? undefined : recordCells(text)
  return (cells ?? text.split(cellSeparator))
    .map(clean)
    .filter((cell) => cell !== '' && !/^[-:=+]+$/.test(cell))
}

/**
 * A table's first row is its header if its cells are words without digits, and the next row has the same number of
 * cells.
 */
function isHeader(cells: readonly string[], next: Line | undefined): boolean {
  const isWords = cells.every((cell) => cell.length <= 40 && /^[^\d:]*\p{L}[^\d:]*$/u.test(cell))
  return isWords && next?.kind === 'row' && cellsOf(next.text).length === cells.length
}

/** The label and "label: value" of each label with a value. The row must begin with a label. */
function pairsOf(cells: readonly string[]): [label: string, text: string][] {
  const pairs: string[][] = []
  for (const cell of cells) {
    if (cell.endsWith(':')) pairs.push([cell])
    else pairs.at(-1)?.push(cell)
  }
  return pairs.filter((pair) => pair.length > 1).map((pair) => [(pair[0] ?? '').slice(0, -1), pair.join(' ')])
}

/**
 * A row as text; with a header of the same number of cells, each cell follows its column name: "Mon: open 9; close
 * 17".
 */
function rowText(cells: readonly string[], header: readonly string[]): string {
  const [first = '', ...rest] = cells
  if (header.length !== cells.length) return cells.join('; ')
  return `${first}: ${rest.map((cell, index) => `${header[index + 1]} ${cell}`).join('; ')}`
}

/** A heading or introduction without leading Markdown marks. */
function titleOf(text: string): string {
  return clean(text).replace(/^#{1,6}\s+/, '')
}

function clean(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
