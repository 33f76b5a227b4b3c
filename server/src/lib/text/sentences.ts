import { detectLanguage } from './languages.ts'
import { areRecords } from './records.ts'
import { endsSentence } from './sentence-ends.ts'

/** UTF-16 offsets into a text: `text.slice(start, end)`. */
export interface Range {
  start: number
  end: number
}

const blankLine = /\n[^\S\n]*\n\s*/g
const listMarker = /^\s*(?:[-*+•‣◦▪●–—·]\s|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]\s|#{1,6}\s|>|\|)/i
/** Two spaces (not after a sentence), a tab or a bar within a line separate table cells. */
const cellGap = /\S(?:(?<![.!?•‣◦▪●]["'”’)]?) {2,}|\t|\s*\|\s*)\S/
// Matches only at the first mark of a run; otherwise a long run of dots takes quadratic time.
const terminator =
  /(?<![.!?…])[.!?…]+(?:["'”’“»›«)\]]|[ \u00a0\u202f][»›](?![\p{L}\p{N}]))*(?=\s)|[。！？]+["'”’」』]*/gu
/** A key with its value, or a key that introduces a block. */
const keyLine = /^\s*[\w.-]{1,60}(?: \([^()]{1,200}\))?:(?:\s|$)/
const wrapsFrom = 45

/**
 * Splits a text into sentences. A list item, a heading, a table row or a line of code counts as one sentence. The ranges
 * are in order, do not overlap, have no white space at their ends, and cover all of the text except white space.
 *
 * Abbreviations, initials, ordinals and decimals do not end a sentence. A line break ends a sentence only if the line was not
 * wrapped; its length and the start of the next line decide that.
 */
export function splitSentences(text: string): Range[] {
  const ranges: Range[] = []
  let language: string | undefined
  const isGerman = () => {
    language ??= detectLanguage(text)
    return language === 'german'
  }
  for (const paragraph of pieces(text, 0, text.length, blankLine)) {
    for (const unit of unwrappedLines(text, paragraph)) addSentences(text, unit, isGerman, ranges)
  }
  return ranges
}

/** The ranges between matches of a separator. */
function pieces(text: string, start: number, end: number, separator: RegExp): Range[] {
  const found: Range[] = []
  let from = start
  separator.lastIndex = start
  for (let match = separator.exec(text); match && match.index < end; match = separator.exec(text)) {
    found.push({ start: from, end: match.index })
    from = separator.lastIndex
  }
  found.push({ start: from, end })
  return found
}

/** The lines of a paragraph; wrapped lines of one sentence are joined. */
function unwrappedLines(text: string, paragraph: Range): Range[] {
  const lines = linesIn(text, paragraph)
  const width = usualWidth(lines)
  const units: Range[] = []
  let previous = ''
  for (const line of lines) {
    const content = text.slice(line.start, line.end)
    const last = units.at(-1)
    if (last && isWrap(previous, content, width)) last.end = line.end
    else units.push({ ...line })
    previous = content
  }
  return units
}

function linesIn(text: string, { start, end }: Range): Range[] {
  const lines: Range[] = []
  for (let from = start; from < end; ) {
    const at = text.indexOf('\n', from)
    const to = at < 0 || at > end ? end : at
    if (to > from) lines.push({ start: from, end: to })
    from = to + 1
  }
  return lines
}

/** Median length of the lines that are long enough to be wrapped. */
function usualWidth(lines: readonly Range[]): number {
  const widths = lines.map(({ start, end }) => end - start).filter((width) => width >= wrapsFrom)
  return widths.sort((a, b) => a - b)[widths.length >> 1] ?? 0
}

function isWrap(line: string, next: string, usual: number): boolean {
  if (listMarker.test(next) || cellGap.test(line) || cellGap.test(next)) return false
  if (/[:;{}]\s*$/.test(line) || keyLine.test(next) || areRecords(line, next)) return false
  if (/^\s*\p{Ll}/u.test(next) && line.length >= wrapsFrom / 2) return true
  return line.length >= wrapsFrom && line.length >= 0.75 * usual
}

function addSentences(text: string, unit: Range, isGerman: () => boolean, ranges: Range[]): void {
  let from = unit.start
  const content = text.slice(unit.start, unit.end)
  const ends = cellGap.test(content) ? [] : content.matchAll(terminator)
  for (const match of ends) {
    const end = unit.start + match.index + match[0].length
    if (!endsSentence(content, match.index, match[0], end - unit.start, isGerman)) continue
    addTrimmed(text, from, end, ranges)
    from = end
  }
  addTrimmed(text, from, unit.end, ranges)
}

function addTrimmed(text: string, from: number, to: number, ranges: Range[]): void {
  let [start, end] = [from, to]
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  if (start < end) ranges.push({ start, end })
}

/** White space as in String.prototype.trim; frequent characters are tested first. */
function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code >= 160 && /\s/.test(String.fromCharCode(code)))
}
