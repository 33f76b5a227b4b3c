import { splitSentences } from '../../../lib/text.ts'
import type { Break, ExtractedDocument, Heading } from './types.ts'

/** A piece of a document: `text === document.text.slice(start, end)`; `order` counts from 0. */
export interface Chunk {
  order: number
  start: number
  end: number
  text: string
  /** Page on which the chunk starts, from 1; null for files without pages. */
  page: number | null
  /** Titles of the headings above the chunk's start (its own included), outermost first; see `pathOf`. */
  headingPath: string[]
}

/** Sizes in UTF-16 code units. */
export interface ChunkOptions {
  /** Wanted size; default 1,000. */
  target?: number
  /** Never exceeded; default 1,600, at least 2. */
  max?: number
}

/** What it costs to end a chunk at a boundary, against being off the wanted size by the same share of it. */
const boundaryCost = { heading: 0, paragraph: 0.2, line: 0.45, sentence: 0.6 }

/**
 * Cuts a document into chunks that do not overlap and together cover every character but white space, in order.
 *
 * A heading begins a new chunk once the current one has a quarter of the wanted size; else a chunk ends where size
 * and kind of boundary (paragraph, line, sentence) together are best, and between words only when one sentence is
 * longer than a chunk may be. A document with breaks of its own (records, members, lines of code) is cut at those.
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
    chunks.push({ order: chunks.length, start, end, text: text.slice(start, end), ...describe(start) })
    start = skipSpace(text, cut)
  }
  return chunks
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

/** Starts of paragraphs, lines and sentences; a heading's start counts as heading, and nothing breaks after it. */
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

/** The last white space before `limit`, else `limit` itself, moved off the middle of a surrogate pair. */
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

/** Page and heading path of growing offsets; asks must come in order. */
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

/** Every chunk repeats its path: titles are cut to this length, and the innermost ones are kept up to this sum. */
const [longestTitle, longestPath] = [200, 600]

/** The titles of headings, the last ones of which fit. A path could be many times as long as its file otherwise. */
function pathOf(headings: readonly Heading[]): string[] {
  const titles: string[] = []
  let length = 0
  for (let at = headings.length - 1; at >= 0; at--) {
    const title = shortened(headings[at]?.title ?? '')
    length += title.length
    if (length > longestPath) break
    titles.unshift(title)
  }
  return titles
}

function shortened(title: string): string {
  return title.length <= longestTitle ? title : `${title.slice(0, longestTitle - 1).toWellFormed()}…`
}
