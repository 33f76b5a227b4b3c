/** The position of a row in a list that is sorted by time. */
export interface Position {
  /** Epoch milliseconds. */
  ms: number
  id: string
}

/** The page that a store should return: rows after a position, or the first rows. */
export interface Page {
  limit: number
  after: Position | undefined
}

/** A page of a list, and the cursor of the next page if there is one. */
export interface Paged<T> {
  page: T[]
  next: string | undefined
}

/** An invalid cursor from the caller; the response is 400. */
export class WrongCursor extends Error {
  override readonly name = 'WrongCursor'

  constructor() {
    super('cursor must be the X-Next-Cursor header of an earlier page')
  }
}

export function encodeCursor({ ms, id }: Position): string {
  return Buffer.from(`${ms}.${id}`).toString('base64url')
}

/** Undefined without a cursor. Throws `WrongCursor` if `encodeCursor` did not create it from an id with this prefix. */
export function parseCursor(cursor: string | undefined, idPrefix: string): Position | undefined {
  return cursor === undefined ? undefined : parsePosition(decodeCursor(cursor), idPrefix)
}

export function decodeCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('latin1')
}

/** Parses the decoded text of a cursor. `foreignId` matches ids that Cairn has not created. */
export function parsePosition(text: string, idPrefix: string, foreignId?: RegExp): Position {
  const [, ms, id = ''] = /^(-?\d{1,16})\.(\w+)$/.exec(text) ?? []
  const isOwn = id.startsWith(idPrefix) && /^[a-z]+_(?:[0-9a-z]{20}|[0-9a-z]{40}|v1_[0-9a-f]{16})$/.test(id)
  if (ms === undefined || !(isOwn || foreignId?.test(id))) throw new WrongCursor()
  return { ms: Number(ms), id }
}

/** The first `limit` rows, and the cursor of the next page if there are more rows. */
export function toPage<T>(rows: readonly T[], limit: number, positionOf: (row: T) => Position): Paged<T> {
  return toPageOf(rows, limit, (row) => encodeCursor(positionOf(row)))
}

/** The same for lists with cursors of their own. */
export function toPageOf<T>(rows: readonly T[], limit: number, cursorOf: (row: T) => string): Paged<T> {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next: last && rows.length > limit ? cursorOf(last) : undefined }
}
