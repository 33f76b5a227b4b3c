/** Longer lines are no records that one would read. */
const longestRecord = 2000
/** With fewer, a comma between words could be anything. */
const fewestCells = 3

const numberInProse = /\s\d{1,3}(?:,\d{3})+\b/

const cell = { ',': /(?:^|,)("(?:[^"]|"")*"|[^,]*)/g, ';': /(?:^|;)("(?:[^"]|"")*"|[^;]*)/g }

/** The cells of a line that may be a record of comma or semicolon separated values, without their quotes. */
export function recordCells(line: string): string[] | undefined {
  if (line.length > longestRecord || numberInProse.test(line)) return undefined
  const delimiter = /[,;]/.exec(line)?.[0] === ';' ? ';' : ','
  const cells = Array.from(line.matchAll(cell[delimiter]), ([, content = '']) => content)
  // In prose a space follows.
  if (cells.length < fewestCells || cells.some((content) => /^\s/.test(content))) return undefined
  return cells.map((content) =>
    content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content,
  )
}

/** True for two lines of one table: a single line could be prose with a large number in it. */
export function areRecords(line: string, other: string): boolean {
  const cells = recordCells(line)
  return cells !== undefined && recordCells(other)?.length === cells.length
}
