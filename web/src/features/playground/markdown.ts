import { sentencesOf } from './passage.ts'

/** The subset of Markdown in answers, as a tree. Other markup stays text. */
export type Block =
  | { kind: 'paragraph'; content: Inline[] }
  | { kind: 'heading'; content: Inline[] }
  | { kind: 'list'; isOrdered: boolean; start: number; items: ListItem[] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }

export interface ListItem {
  content: Inline[]
  /** Nested blocks. */
  inner: Block[]
}

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; content: Inline[] }
  /** `[^N]`; `claim` is the sentence before it. */
  | { kind: 'citation'; index: number; claim: string }

const fence = /^\s*(?:```[^`]*|~~~.*)$/
const listItem = /^(\s*)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/
const tableLine = /^\s*\|.*\|\s*$/
const tableRule = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/
const heading = /^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$/

export function parseMarkdown(text: string): Block[] {
  return parseLines(text.split(/\r?\n/))
}

function parseLines(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const end = endOf(lines, at)
    if (line.trim() !== '') blocks.push(toBlock(lines.slice(at, end)))
    at = end
  }
  return blocks
}

/** Index of the first line after the block that begins at `from`. */
function endOf(lines: readonly string[], from: number): number {
  const line = lines[from] ?? ''
  if (line.trim() === '' || heading.test(line)) return from + 1
  let end = from + 1
  if (fence.test(line)) {
    while (end < lines.length && !fence.test(lines[end] ?? '')) end++
    return Math.min(lines.length, end + 1)
  }
  if (listItem.test(line)) {
    while (end < lines.length && belongsToList(lines, end)) end++
    return end
  }
  const isTable = tableLine.test(line) && tableRule.test(lines[from + 1] ?? '')
  while (end < lines.length && (isTable ? tableLine.test(lines[end] ?? '') : !beginsBlock(lines[end] ?? '')))
    end++
  return end
}

function beginsBlock(line: string): boolean {
  return line.trim() === '' || fence.test(line) || listItem.test(line) || heading.test(line)
}

/** Whether a line belongs to a list: an item, an indented line, or a blank line between them. */
function belongsToList(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  if (line.trim() === '') return listItem.test(lines[at + 1] ?? '') || /^\s{2,}\S/.test(lines[at + 1] ?? '')
  return listItem.test(line) || /^\s{2,}\S/.test(line) || (!beginsBlock(line) && lines[at - 1]?.trim() !== '')
}

function toBlock(lines: readonly string[]): Block {
  const [first = ''] = lines
  if (fence.test(first)) {
    const isClosed = lines.length > 1 && fence.test(lines.at(-1) ?? '')
    return { kind: 'code', text: lines.slice(1, isClosed ? -1 : undefined).join('\n') }
  }
  const [, title] = heading.exec(first) ?? []
  if (title !== undefined) return { kind: 'heading', content: parseInline(title) }
  if (listItem.test(first)) return toList(lines)
  if (tableLine.test(first) && tableRule.test(lines[1] ?? '')) {
    const [head = [], , ...rows] = lines.map(cellsOf)
    return { kind: 'table', head, rows }
  }
  return { kind: 'paragraph', content: parseInline(lines.map((line) => line.trim()).join('\n')) }
}

function cellsOf(line: string): Inline[][] {
  return line
    .trim()
    .slice(1, -1)
    .split('|')
    .map((cell) => parseInline(cell.trim()))
}

/** Builds a list. Lines indented deeper than its first item belong to the item above them. */
function toList(lines: readonly string[]): Block {
  const [, indent = '', , number] = listItem.exec(lines[0] ?? '') ?? []
  const items: { first: string; rest: string[] }[] = []
  for (const line of lines) {
    const [, own = '', , , content = ''] = listItem.exec(line) ?? []
    if (listItem.test(line) && own.length <= indent.length) items.push({ first: content, rest: [] })
    else items.at(-1)?.rest.push(line)
  }
  return {
    kind: 'list',
    isOrdered: number !== undefined,
    start: Number(number ?? 1),
    items: items.map(toItem),
  }
}

function toItem({ first, rest }: { first: string; rest: readonly string[] }): ListItem {
  const at = rest.findIndex((line) => line.trim() === '' || beginsBlock(line))
  const lines = at < 0 ? rest : rest.slice(0, at)
  const text = [first, ...lines.map((line) => line.trim())].join('\n')
  return { content: parseInline(text), inner: at < 0 ? [] : parseLines(rest.slice(at)) }
}

const inlineMark =
  /`([^`\n]+)`|\*\*([^\s*](?:.*?[^\s])?)\*\*(?!\*)|(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*(?![\w*])|\[\^(\d{1,4})\]/gs

/** `before` is the text in front, which the claim of a citation may begin in. */
export function parseInline(text: string, before = ''): Inline[] {
  const parts: Inline[] = []
  let at = 0
  for (const match of text.matchAll(inlineMark)) {
    const [whole, code, strong, emphasis, number] = match
    if (match.index > at) parts.push({ kind: 'text', text: text.slice(at, match.index) })
    at = match.index + whole.length
    const lead = before + text.slice(0, match.index)
    if (code !== undefined) parts.push({ kind: 'code', text: code })
    else if (strong !== undefined) parts.push({ kind: 'strong', content: parseInline(strong, lead) })
    else if (emphasis !== undefined) parts.push({ kind: 'emphasis', content: parseInline(emphasis, lead) })
    else parts.push({ kind: 'citation', index: Number(number), claim: claimBefore(lead) })
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) })
  return parts
}

/** The last sentence of a text, without markup. */
export function claimBefore(text: string): string {
  const plain = text
    .replace(/\[\^\d+\]/g, '')
    .replace(/[*`]/g, '')
    .trimEnd()
  const last = sentencesOf(plain).at(-1)
  return last ? plain.slice(last.start, last.end) : ''
}
