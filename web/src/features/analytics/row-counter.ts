import type { ExportFormat } from '@cairn/sdk'

const newline = 10
const quote = 34

/** Counts the rows of a file while it comes in: each ends with a line end, in CSV one outside of quotes. */
export function rowCounter(format: ExportFormat): (bytes: Uint8Array) => number {
  // The head of a CSV file is no row.
  let rows = format === 'csv' ? -1 : 0
  let inQuotes = false
  let length = 0
  return (bytes) => {
    length += bytes.length
    for (const byte of bytes) {
      if (byte === quote && format === 'csv') inQuotes = !inQuotes
      else if (byte === newline && !inQuotes) rows++
    }
    // The brackets of an empty list.
    return format === 'json' && length <= 3 ? 0 : Math.max(0, rows)
  }
}
