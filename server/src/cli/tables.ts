/** Makes untrusted text safe for a terminal: one line, no control characters, cut at `longest`. */
export function oneLine(text: string, longest = 100): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line
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

export function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`
}

export function change(percent: number): string {
  return `${percent > 0 ? '+' : ''}${Number(percent.toFixed(1))} %`
}

export function milliseconds(value: number): string {
  return value < 10_000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`
}

export function dollars(value: number): string {
  return `${value.toFixed(6)} USD`
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
