/** A run of text as pdf.js reports it; `transform` is the text matrix [a, b, c, d, x, y] in points. */
export interface TextItem {
  str: string
  transform: number[]
  width: number
  height: number
  fontName: string
  hasEOL: boolean
}

/** A bullet or number of a list item. */
const listMarker = /^(?:[-*+•‣◦▪●–—·]|\(?(?:\d{1,3}|[a-zA-Z])[.)])$/

/** One line of text on a page; between its cells is at least the width of a letter. Units: PDF points. */
export interface Row {
  text: string
  cellCount: number
  /** Font size and name of most of its characters. */
  size: number
  font: string
  /** Baselines of the first and of the last line of the row; larger is lower on the page. */
  top: number
  bottom: number
}

interface Cell {
  text: string
  start: number
  end: number
}

interface OpenRow {
  cells: Cell[]
  angle: number
  top: number
  bottom: number
  /** Characters by "size|font". */
  fonts: Map<string, number>
}

interface Placed {
  text: string
  /** Extent along the writing direction, and position perpendicular to it (downwards). */
  start: number
  end: number
  across: number
  angle: number
  size: number
  font: string
}

/**
 * Joins the text items of one page into rows, in the order in which the page draws them.
 *
 * The order stays because programs draw in reading order, so columns of prose stay whole. Items on one baseline are one
 * row. A further line of a table cell is appended to its cell, and cells drawn after it continue the original row.
 */
export function rowsOf(items: readonly TextItem[]): Row[] {
  const rows: OpenRow[] = []
  let spaceBefore = false
  for (const item of items) {
    if (item.str.trim() === '') {
      spaceBefore ||= item.str !== '' || item.hasEOL
      continue
    }
    const placed = place(item)
    const row = rows.at(-1)
    if (!row || !append(row, placed, spaceBefore)) rows.push(openRow(placed))
    spaceBefore = /\s$/.test(item.str)
  }
  return rows.map(closeRow)
}

function place(item: TextItem): Placed {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = item.transform
  const length = Math.hypot(a, b) || 1
  const [ux, uy] = [a / length, b / length]
  const start = x * ux + y * uy
  return {
    text: item.str,
    start,
    end: start + item.width,
    across: x * uy - y * ux,
    angle: Math.round(Math.atan2(uy, ux) * 100),
    size: Math.hypot(c, d) || item.height || 1,
    font: item.fontName,
  }
}

/** Adds the item to the row if it belongs there; returns whether it did. */
function append(row: OpenRow, item: Placed, spaceBefore: boolean): boolean {
  const cell = row.cells.at(-1)
  if (!cell || row.angle !== item.angle) return false
  const tolerance = 0.45 * Math.max(item.size, largestSize(row))
  if (Math.abs(item.across - row.bottom) < tolerance) {
    const gap = item.start - cell.end
    if (gap >= 0 ? gap < item.size : gap > -0.5 * item.size)
      extend(cell, item, spaceBefore || gap > 0.2 * item.size)
    else row.cells.push(newCell(item))
  } else if (continuesCell(row, cell, item)) {
    extend(cell, item, true)
    row.bottom = item.across
  } else if (Math.abs(item.across - row.top) < tolerance && item.start > cell.start + item.size) {
    row.cells.push(newCell(item))
    row.bottom = row.top
  } else return false
  count(row, item)
  return true
}

/** True if the row has several cells, and the item starts one line below its last cell, at the same left edge. */
function continuesCell(row: OpenRow, cell: Cell, item: Placed): boolean {
  const drop = item.across - row.bottom
  const isNextLine = drop > 0 && drop < 1.35 * item.size
  return row.cells.length > 1 && isNextLine && Math.abs(item.start - cell.start) < 0.2 * item.size
}

function extend(cell: Cell, item: Placed, withSpace: boolean): void {
  cell.text += (withSpace ? ' ' : '') + item.text
  cell.end = Math.max(item.end, item.start)
}

function newCell(item: Placed): Cell {
  return { text: item.text, start: item.start, end: item.end }
}

function openRow(item: Placed): OpenRow {
  const { angle, across } = item
  const row = { cells: [newCell(item)], angle, top: across, bottom: across, fonts: new Map<string, number>() }
  count(row, item)
  return row
}

function count(row: OpenRow, item: Placed): void {
  const key = `${Math.round(item.size * 10) / 10}|${item.font}`
  row.fonts.set(key, (row.fonts.get(key) ?? 0) + item.text.length)
}

function largestSize(row: OpenRow): number {
  return Math.max(...[...row.fonts.keys()].map(Number.parseFloat))
}

function closeRow(row: OpenRow): Row {
  const cells = row.cells.map((cell) => clean(cell.text)).filter((text) => text !== '')
  const [mostUsed = '1|'] = [...row.fonts].reduce((best, next) => (next[1] > best[1] ? next : best))
  const [size = '1', font = ''] = mostUsed.split('|')
  const { top, bottom } = row
  const hasMarker = cells.length > 1 && listMarker.test(cells[0] ?? '')
  const text = hasMarker ? `${cells[0]} ${cells.slice(1).join('  ')}` : cells.join('  ')
  return { text, cellCount: cells.length - (hasMarker ? 1 : 0), size: Number(size), font, top, bottom }
}

/** Makes one line, and replaces NULs and lone surrogates, to which some fonts map their glyphs. */
function clean(text: string): string {
  return text.replaceAll('\0', ' ').toWellFormed().replace(/\s+/g, ' ').trim()
}
