import { areRecords, recordCells, splitSentences } from '../../../lib/text.ts'

/** The smallest piece of a chunk that can stand in an answer. */
export interface Passage {
  /** As the answer shows it: the words of the chunk, white space collapsed, cells put apart. */
  text: string
  /** The chunk's own text of it, for the citation. */
  snippet: string
  /** The heading or introducing line above it in the chunk, or ''. */
  lead: string
  /** The label of a "label: value" passage without its colon, or ''. */
  label: string
  kind: 'sentence' | 'item' | 'row' | 'list'
}

interface Line {
  text: string
  kind: Exclude<Passage['kind'], 'list'> | 'heading' | 'intro'
}

const cellSeparator = /(?<![.!?•‣◦▪●]["'”’)]?) {2,}|\t+|\s*\|\s*/
const bullet = /^(?:[-*+•‣◦▪●–—·]|\(?(?:\d{1,3}|[a-z])[.)])\s+/i
const quotedKey = /^[\s{,]*"([^"]{1,80})"\s*:\s*[^\s{[]/
const labelPattern = /^([^:.!?]{2,40}):\s/
const maxHeadingLength = 90
/** What a line of braces, or the one between the head of a Markdown table and its rows, does not hold. */
const wordLike = /[\p{L}\p{N}]/u

/**
 * Cuts a chunk into passages: sentences, list items, table rows; rows of several "label: value" pairs into pairs.
 * A list is a passage as a whole too: it answers what its introduction names. Headings and lines that end with a
 * colon introduce what follows and are not passages of their own, unless nothing follows.
 */
export function passagesOf(chunkText: string): Passage[] {
  const passages: Passage[] = []
  const lines = linesOf(chunkText)
  let heading = ''
  let intro = ''
  let header: string[] = []
  const record = recordSubjects()
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'heading') heading = titleOf(line.text)
    // Of two introductions in a row the first is the title of what follows.
    if (line.kind === 'intro' && intro !== '' && lines[index - 1]?.kind === 'intro') heading = intro
    if (line.kind === 'heading' || line.kind === 'intro') {
      intro = line.kind === 'intro' ? titleOf(line.text) : ''
      continue
    }
    const cells = cellsOf(line.text)
    if (line.kind !== 'row') header = []
    else if (lines[index - 1]?.kind !== 'row') header = isHeader(cells, lines[index + 1]) ? cells : []
    const subject = record(line.text)
    if (header !== cells) {
      const made = passagesOfLine(line, cells, header, intro, heading)
      passages.push(...made.map((passage) => (passage.lead === '' ? { ...passage, lead: subject } : passage)))
    }
    if (line.kind === 'item' && lines[index + 1]?.kind !== 'item') {
      passages.push(...listOf(chunkText, passages, intro, heading))
    }
    if (line.kind !== 'item') intro = ''
  }
  return passages
}

/**
 * For one line after the other: the line that begins the record of data which it belongs to, or ''. A record ends where
 * a brace opens or a key comes again.
 */
function recordSubjects(): (line: string) => string {
  const keys = new Set<string>()
  let subject = ''
  return (line) => {
    const key = quotedKey.exec(line)?.[1]
    if (/\{\s*$/.test(line) || (key !== undefined && keys.has(key))) {
      keys.clear()
      subject = ''
    }
    if (key === undefined) return ''
    keys.add(key)
    const above = subject
    if (subject === '') subject = clean(line)
    return above
  }
}

/** The items at the end of `passages` as one passage, when there are several and something introduces them. */
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
  // A sentence after its introduction is read together with it.
  return [{ text: intro ? `${intro} ${text}` : text, snippet, lead: heading, label, kind: 'sentence' }]
}

function linesOf(chunkText: string): Line[] {
  const texts = splitSentences(chunkText)
    .map(({ start, end }) => chunkText.slice(start, end))
    .filter((text) => wordLike.test(text))
  return joinBlocks(
    texts.map((text, index) => ({ text, kind: kindOf(text, texts[index + 1], texts[index - 1]) })),
  )
}

/** Puts up to four short lines after an introducing line together: an address, a name with its function. */
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

/** A table's first row is its head when its cells are words without digits and the next row has as many. */
function isHeader(cells: readonly string[], next: Line | undefined): boolean {
  const isWords = cells.every((cell) => /^[^\d:]*\p{L}[^\d:]*$/u.test(cell) && cell.length <= 40)
  return isWords && next?.kind === 'row' && cellsOf(next.text).length === cells.length
}

/** Label and "label: value" for each label with a value, when the row begins with a label. */
function pairsOf(cells: readonly string[]): [label: string, text: string][] {
  const pairs: string[][] = []
  for (const cell of cells) {
    if (cell.endsWith(':')) pairs.push([cell])
    else pairs.at(-1)?.push(cell)
  }
  return pairs.filter((pair) => pair.length > 1).map((pair) => [(pair[0] ?? '').slice(0, -1), pair.join(' ')])
}

/** A row under a head of as many cells says each cell with its head: "Mon: open 9; close 17". */
function rowText(cells: readonly string[], header: readonly string[]): string {
  const [first = '', ...rest] = cells
  if (header.length !== cells.length) return cells.join('; ')
  return `${first}: ${rest.map((cell, index) => `${header[index + 1]} ${cell}`).join('; ')}`
}

/** A heading or introduction without the marks of Markdown before it. */
function titleOf(text: string): string {
  return clean(text).replace(/^#{1,6}\s+/, '')
}

function clean(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
