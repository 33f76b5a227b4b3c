import { type Line, linesOf } from './lines.ts'
import type { Heading } from './types.ts'

const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/
const setextUnderline = /^ {0,3}(=+|-+)[ \t]*$/
/** Lines that cannot be the text of a setext heading: indented code, quotes, lists, tables, blank. */
const notHeadingText = /^(?: {4}|\t|\s*$|\s*[>|]|\s*[-*+] |\s*\d+[.)] )/

/**
 * The ATX (`# x`) and setext (underlined) headings of a Markdown text, outside fenced code.
 * Rules as in CommonMark 0.31, sections 4.2 and 4.3, without multi-line setext headings.
 */
export function markdownHeadings(text: string): Heading[] {
  const headings: Heading[] = []
  let openFence = ''
  let previous = { start: 0, line: '' }
  for (const { start, line } of linesOf(text)) {
    const wasOpen = openFence
    openFence = fenceAfter(openFence, line)
    const heading = wasOpen || openFence ? undefined : headingAt(start, line, previous)
    if (heading) headings.push(heading)
    previous = wasOpen || openFence || heading ? { start, line: '' } : { start, line }
  }
  return headings
}

function headingAt(start: number, line: string, previous: Line): Heading | undefined {
  const hashes = atx.exec(line)
  if (hashes?.[1]) {
    const title = withoutClosingMarks(hashes[2] ?? '')
    return title === '' ? undefined : { start, level: hashes[1].length, title }
  }
  const underline = setextUnderline.exec(line)?.[1]
  if (!underline || notHeadingText.test(previous.line)) return undefined
  return { start: previous.start, level: underline.startsWith('=') ? 1 : 2, title: previous.line.trim() }
}

/** "Title ##" -> "Title". Without a regular expression, which would take quadratic time on a long run of spaces. */
function withoutClosingMarks(title: string): string {
  const trimmed = title.trim()
  let end = trimmed.length
  while (end > 0 && trimmed[end - 1] === '#') end--
  const isClosed = end === 0 || /[ \t]/.test(trimmed.charAt(end - 1))
  return isClosed ? trimmed.slice(0, end).trimEnd() : trimmed
}

/** The marks of the fence that is open after `line`, or ''. A fence closes with at least as many of the same marks. */
function fenceAfter(open: string, line: string): string {
  const match = fence.exec(line)
  const marks = match?.[1]
  if (!marks) return open
  if (open === '') return marks.startsWith('`') && match[2]?.includes('`') ? '' : marks
  return marks[0] === open[0] && marks.length >= open.length && match[2]?.trim() === '' ? '' : open
}
