import type { Row } from './pdf-rows.ts'

/** Consecutive rows of a page with the same font and size and without a wide gap. */
export interface Block {
  rows: Row[]
  /** Its level depends on the headings of the whole document, see `composeText`. */
  isHeading: boolean
  size: number
}

const maxHeadingRows = 3
const maxHeadingLength = 150

/** Groups the rows of a page into blocks and marks the headings among them. */
export function blocksOf(rows: readonly Row[]): Block[] {
  const blocks: Block[] = []
  for (const row of rows) {
    const block = blocks.at(-1)
    const last = block?.rows.at(-1)
    if (block && last && belongsTo(last, row)) block.rows.push(row)
    else blocks.push({ rows: [row], isHeading: false, size: row.size })
  }
  for (const [index, block] of blocks.entries()) {
    const previous = blocks[index - 1]
    const next = blocks[index + 1]
    block.isHeading = next !== undefined && looksLikeHeading(block) && standsOut(block, next, previous)
  }
  return blocks
}

function belongsTo(last: Row, row: Row): boolean {
  const sameSize = Math.abs(last.size - row.size) < 0.05 * row.size
  const sameFont = last.font === row.font || last.cellCount > 1 || row.cellCount > 1
  return sameSize && sameFont && !isGap(last, row)
}

/** True if there is space for about half a line or more between two rows; table rows may be further apart. */
export function isGap(last: Row, row: Row): boolean {
  const drop = row.top - last.bottom
  const isTable = last.cellCount > 1 && row.cellCount > 1
  return drop < 0 || drop > (isTable ? 2.6 : 1.65) * Math.max(last.size, row.size)
}

function looksLikeHeading(block: Block): boolean {
  const text = block.rows.map((row) => row.text).join(' ')
  const isShort = block.rows.length <= maxHeadingRows && text.length <= maxHeadingLength
  const isOneColumn = block.rows.every((row) => row.cellCount === 1)
  return (
    isShort &&
    isOneColumn &&
    /\p{L}{2}/u.test(text) &&
    /^[\p{Lu}\p{Lo}\p{N}]/u.test(text) &&
    !/[.,;!?]$/.test(text)
  )
}

/**
 * A heading is larger than the next block. Otherwise it has a different font than the next row, a gap before it, and no
 * gap after it.
 */
function standsOut(block: Block, next: Block, previous: Block | undefined): boolean {
  if (block.size > 1.08 * next.size) return true
  const [first, last] = [block.rows[0], block.rows.at(-1)]
  const [before, after] = [previous?.rows.at(-1), next.rows[0]]
  if (!first || !last || !after || block.size < 0.95 * next.size) return false
  const isApart = !before || isGap(before, first)
  return isApart && last.font !== after.font && !isGap(last, after)
}
