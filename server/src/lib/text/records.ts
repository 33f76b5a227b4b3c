/** A longer line is not treated as a record. */
const longestRecord = 2000
/** With fewer cells, a comma may be ordinary punctuation. */
const fewestCells = 3

const numberInProse = /\s\d{1,3}(?:,\d{3})+\b/

const cell = { ',': /(?:^|,)("(?:[^"]|"")*"|[^,]*)/g, ';': /(?:^|;)("(?:[^"]|"")*"|[^;]*)/g }

/** The cells of a line that may be a comma- or semicolon-separated record, without quotes; otherwise undefined. */
export function recordCells(line: string): string[] | undefined {
  if (line.length > longestRecord || numberInProse.test(line)) return undefined
  const delimiter = /[,;]/.exec(line)?.[0] === ';' ? ';' : ','
  const cells = Array.from(line.matchAll(cell[delimiter]), ([, content = '']) => content)
  // In prose, a space follows a comma.
  if (cells.length < fewestCells || cells.some((content) => /^\s/.test(content))) return undefined
  return cells.map((content) =>
    content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content,
  )
}

/** Whether two lines belong to one table. A single line could be prose with a large number in it. */
export function areRecords(line: string, other: string): boolean {
  const cells = recordCells(line)
  return cells !== undefined && recordCells(other)?.length === cells.length
}
