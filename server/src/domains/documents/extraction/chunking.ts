import { splitSentences, TableReader, tableLineOf } from '../../../lib/text.ts'
import type { Break, ExtractedDocument, Heading } from './types.ts'

/** A range of a document: `text === document.text.slice(start, end)`; `order` counts from 0. */
export interface Chunk {
  order: number
  start: number
  end: number
  text: string
  /** Page on which the chunk starts, from 1; null for files without pages. */
  page: number | null
  /**
   * Titles of the headings above the chunk's start (its own included), outermost first; see `pathOf`. If the chunk begins
   * inside a table, the last one is the heads of its columns, with bars between them.
   */
  headingPath: string[]
}

/** Sizes in UTF-16 code units. */
export interface ChunkOptions {
  /** Target size; default 1,000. */
  target?: number
  /** Maximum size; default 1,600, at least 2. */
  max?: number
}

/** Cost of ending a chunk at a kind of boundary. It is added to the relative difference from the target size. */
const boundaryCost = { heading: 0, paragraph: 0.2, line: 0.45, sentence: 0.6 }

/**
 * Splits a document into chunks, in order. Chunks do not overlap, and together they cover every character except
 * white space.
 *
 * A heading begins a new chunk if the current one has at least a quarter of the target size. Otherwise a chunk ends
 * at the boundary (paragraph, line, sentence) with the lowest sum of the boundary's cost and the relative difference
 * from the target size. It ends between words only if a sentence is longer than `max`. A document with `breaks`
 * (records, members, lines of code) is split at these instead.
 */
export function chunkText(document: ExtractedDocument, options: ChunkOptions = {}): Chunk[] {
  const { text } = document
  const { target = 1000, max = 1600 } = options
  const boundaries = document.breaks ?? boundariesOf(document)
  const chunks: Chunk[] = []
  const describe = describer(document)
  let next = 0
  for (let start = skipSpace(text, 0); start < text.length; ) {
    while ((boundaries[next]?.at ?? Number.POSITIVE_INFINITY) <= start) next++
    const cut = chooseCut(text, boundaries, { start, next, target, max })
    const end = trimEnd(text, start, cut)
    const chunk = { order: chunks.length, start, end, text: text.slice(start, end), ...describe(start) }
    const heads = document.breaks ? '' : openHeads(chunks.at(-1), chunk)
    chunks.push(heads === '' ? chunk : { ...chunk, headingPath: [...chunk.headingPath, heads] })
    start = skipSpace(text, cut)
  }
  return chunks
}

const rowLike = /\S(?: {2,}|\t|\s*\|\s*)\S/
/** Lines at the start of a chunk, one of which must be a row of the table. */
const firstLines = 2

/** The heads of a table that begins in the chunk before (or in its headings) and goes on in this one; otherwise ''. */
function openHeads(before: Chunk | undefined, { text }: Chunk): string {
  const lastLine = before?.text.slice(before.text.lastIndexOf('\n') + 1) ?? ''
  if (!before || !rowLike.test(lastLine)) return ''
  const carried = before.headingPath.at(-1) ?? ''
  const lines = [...(carried.includes(' | ') ? [carried] : []), ...linesOf(before.text)]
  const reader = readerOf(lines)
  for (const index of lines.keys()) reader.row(index)
  const heads = reader.openHeads
  // A single column needs no head to be found.
  if (heads.replace(/^\(.*?\) \| /, '').split(' | ').length < 2 || heads.length > maxTitleLength) return ''
  const next = [heads, ...linesOf(text).slice(0, firstLines)]
  const nextReader = readerOf(next)
  return next.some((_, index) => nextReader.row(index) !== undefined) ? heads : ''
}

function linesOf(text: string): string[] {
  return splitSentences(text).map(({ start, end }) => text.slice(start, end))
}

function readerOf(lines: readonly string[]): TableReader {
  return new TableReader(
    lines,
    lines.map((line) => tableLineOf(line, undefined)),
  )
}

interface Position {
  start: number
  /** Index of the first boundary after `start`. */
  next: number
  target: number
  max: number
}

function chooseCut(text: string, boundaries: readonly Break[], position: Position): number {
  const { start, target, max } = position
  const limit = start + max
  let best =
    text.length - start <= max
      ? { at: text.length, cost: Math.abs(text.length - start - target) / target }
      : undefined
  for (let index = position.next; index < boundaries.length; index++) {
    const boundary = boundaries[index]
    if (!boundary || trimEnd(text, start, boundary.at) > limit) break
    const size = boundary.at - start
    if (boundary.isHeading && size >= target / 4) return boundary.at
    const cost = Math.abs(size - target) / target + boundary.cost
    if (!best || cost < best.cost) best = { at: boundary.at, cost }
  }
  return best?.at ?? cutBetweenWords(text, start, limit)
}

/** Starts of headings, paragraphs, lines and sentences. There is no boundary between a heading and its text. */
function boundariesOf({ text, headings }: ExtractedDocument): Break[] {
  const titles = new Map(headings.map((heading) => [heading.start, heading]))
  const boundaries: Break[] = []
  let previousEnd = 0
  let bodyStart = 0
  for (const { start, end } of splitSentences(text)) {
    const heading = titles.get(start)
    if (heading) boundaries.push({ at: start, cost: boundaryCost.heading, isHeading: true })
    else if (start > bodyStart)
      boundaries.push({ at: start, cost: costOfGap(text.slice(previousEnd, start)) })
    if (heading) bodyStart = skipSpace(text, endOfHeading(text, heading))
    previousEnd = end
  }
  return boundaries
}

function endOfHeading(text: string, heading: Heading): number {
  const lineEnd = text.indexOf('\n', heading.start)
  return Math.max(heading.start + heading.title.length, lineEnd < 0 ? text.length : lineEnd)
}

function costOfGap(gap: string): number {
  const lines = gap.split(/\r\n|\r|\n/).length
  if (lines > 2) return boundaryCost.paragraph
  return lines === 2 ? boundaryCost.line : boundaryCost.sentence
}

/** The last white space in the second half before `limit`, otherwise `limit`, but never inside a surrogate pair. */
function cutBetweenWords(text: string, start: number, limit: number): number {
  for (let at = limit; at > start + (limit - start) / 2; at--) {
    if (/\s/.test(text.charAt(at))) return at
  }
  const splitsPair =
    /[\ud800-\udbff]/.test(text.charAt(limit - 1)) && /[\udc00-\udfff]/.test(text.charAt(limit))
  return splitsPair ? limit - 1 : limit
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text.charAt(at))) at++
  return at
}

function trimEnd(text: string, start: number, end: number): number {
  let at = end
  while (at > start && /\s/.test(text.charAt(at - 1))) at--
  return at
}

/** Returns a function that finds page and heading path of an offset. Its calls must have ascending offsets. */
function describer({
  pages,
  headings,
}: ExtractedDocument): (start: number) => Pick<Chunk, 'page' | 'headingPath'> {
  const path: Heading[] = []
  let [nextHeading, nextPage] = [0, 0]
  return (start) => {
    for (
      let heading = headings[nextHeading];
      heading && heading.start <= start;
      heading = headings[++nextHeading]
    ) {
      while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop()
      path.push(heading)
    }
    while ((pages[nextPage + 1]?.start ?? Number.POSITIVE_INFINITY) <= start) nextPage++
    return { page: pages[nextPage]?.page ?? null, headingPath: pathOf(path) }
  }
}

/** Maximum length of a title in a path, and of all titles together, in UTF-16 code units. */
const [maxTitleLength, maxPathLength] = [200, 600]

/**
 * The shortened titles of the innermost headings, as many as fit. Every chunk stores its path, so without limits the
 * paths could be many times as long as the file.
 */
function pathOf(headings: readonly Heading[]): string[] {
  const titles: string[] = []
  let length = 0
  for (let at = headings.length - 1; at >= 0; at--) {
    const title = shortened(headings[at]?.title ?? '')
    length += title.length
    if (length > maxPathLength) break
    titles.unshift(title)
  }
  return titles
}

function shortened(title: string): string {
  return title.length <= maxTitleLength ? title : `${title.slice(0, maxTitleLength - 1).toWellFormed()}…`
}
