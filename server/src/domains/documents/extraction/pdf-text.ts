import { type Block, isGap } from './pdf-blocks.ts'
import type { Row } from './pdf-rows.ts'
import type { ExtractedDocument, Heading, PageRange } from './types.ts'

/**
 * Joins the blocks of all pages to one text. There is a line break between rows, and an empty line between pages,
 * around headings and at wide gaps. Words that are hyphenated at the end of a row are joined.
 */
export function composeText(pages: readonly Block[][]): ExtractedDocument {
  const levels = headingLevels(pages)
  const joinHyphenated = hyphenJoiner(pages)
  const headings: Heading[] = []
  const ranges: PageRange[] = []
  let text = ''
  for (const [index, blocks] of pages.entries()) {
    if (index > 0) text += '\n\n'
    const start = text.length
    for (const [at, block] of blocks.entries()) {
      const before = blocks[at - 1]
      if (before) text += separator(before, block)
      const content = block.rows.map((row) => row.text).reduce(joinHyphenated)
      if (block.isHeading) headings.push(headingOf(block, content, text.length, levels))
      text += content
    }
    ranges.push({ page: index + 1, start, end: text.length })
  }
  return { text, pages: ranges, headings }
}

function separator(before: Block, block: Block): string {
  const [last, first] = [before.rows.at(-1), block.rows[0]]
  const isApart = before.isHeading || block.isHeading || (last && first && isGap(last, first))
  return isApart ? '\n\n' : '\n'
}

function headingOf(
  block: Block,
  content: string,
  start: number,
  levels: ReadonlyMap<number, number>,
): Heading {
  const title = content.replace(/\s+/g, ' ').replace(/ ?:$/, '')
  return { start, level: levels.get(Math.round(block.size)) ?? 6, title }
}

/** Levels by font size in whole points: the largest headings of the document are level 1. */
function headingLevels(pages: readonly Block[][]): Map<number, number> {
  const headings = pages.flat().filter((block) => block.isHeading)
  const sizes = [...new Set(headings.map((block) => Math.round(block.size)))].sort((a, b) => b - a)
  return new Map(sizes.map((size, index) => [size, Math.min(index + 1, 6)]))
}

const hyphens = new Set(['-', '\u2010', '\u00ad'])
const maxWordLength = 100

/**
 * Returns a function that joins two rows with a line break, or without one if the first row ends with a hyphen inside a
 * word. The hyphen is deleted if the document contains the word without it elsewhere; a soft hyphen is always deleted.
 */
function hyphenJoiner(pages: readonly Block[][]): (text: string, next: string) => string {
  const words = new Set(wordsOf(pages.flatMap((blocks) => blocks.flatMap((block) => block.rows))))
  return (text, next) => {
    // Only the last word is searched, because the text before it may be long.
    const left = hyphens.has(text.at(-1) ?? '') && /([\p{L}\p{N}]+)(.)$/u.exec(text.slice(-maxWordLength))
    const right = /^[\p{Ll}\p{N}]+/u.exec(next)
    if (!left || !right) return `${text}\n${next}`
    const whole = `${left[1]}${right[0]}`.toLowerCase()
    const dropHyphen = left[2] === '\u00ad' || (/^\p{L}+$/u.test(whole) && words.has(whole))
    return (dropHyphen ? text.slice(0, -1) : text) + next
  }
}

function wordsOf(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => row.text.toLowerCase().match(/\p{L}+/gu) ?? [])
}
