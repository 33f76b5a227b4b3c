/** Makes untrusted text safe for a terminal: one line, no control characters, at most `maxCharacters`. */
export function oneLine(text: string, maxCharacters = 100): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters - 1).join('')}…` : line
}

/** Aligns rows of cells in columns; the last cell of a row is not padded. */
export function columns(rows: readonly (readonly string[])[], indent = ''): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  }
  return rows.map((row) => {
    const cells = row.map((cell, at) => cell.padEnd(widths[at] ?? 0))
    return (indent + cells.join('  ')).trimEnd()
  })
}

/** A share from 0 to 1 as per cent. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`
}

/** A change in per cent, with its sign. */
export function change(percent: number): string {
  return `${percent > 0 ? '+' : ''}${Number(percent.toFixed(1))} %`
}

/** A duration; in seconds from 10 s. */
export function milliseconds(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

export function dollars(usd: number): string {
  return `${usd.toFixed(6)} USD`
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
