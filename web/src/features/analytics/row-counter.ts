import type { ExportFormat } from '@cairn/sdk'

const newline = 10
const quote = 34

/** Counts the rows of a file while it downloads. Each row ends with a line break, in CSV with one outside of quotes. */
export function rowCounter(format: ExportFormat): (bytes: Uint8Array) => number {
  // The header of a CSV file is not a row.
  let rows = format === 'csv' ? -1 : 0
  let inQuotes = false
  let length = 0
  return (bytes) => {
    length += bytes.length
    for (const byte of bytes) {
      if (byte === quote && format === 'csv') inQuotes = !inQuotes
      else if (byte === newline && !inQuotes) rows++
    }
    // An empty JSON list is at most its brackets and a line break.
    return format === 'json' && length <= 3 ? 0 : Math.max(0, rows)
  }
}
