/** The place of a row in a list that is newest first. */
export interface Position {
  /** Epoch milliseconds. */
  ms: number
  id: string
}

export function encodeCursor({ ms, id }: Position): string {
  return Buffer.from(`${ms}.${id}`).toString('base64url')
}

/** Undefined for what `encodeCursor` did not make of an id with that prefix. */
export function decodeCursor(cursor: string, idPrefix: string): Position | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, ms, id] = /^(-?\d{1,16})\.([a-z]+_(?:[0-9a-z]{20}|[0-9a-z]{40}|v1_[0-9a-f]{16}))$/.exec(text) ?? []
  return id?.startsWith(idPrefix) ? { ms: Number(ms), id } : undefined
}

/** The first `limit` rows, and the cursor of the page behind them when there are more. */
export function toPage<T>(
  rows: readonly T[],
  limit: number,
  positionOf: (row: T) => Position,
): { page: T[]; next: string | undefined } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next: last && rows.length > limit ? encodeCursor(positionOf(last)) : undefined }
}
