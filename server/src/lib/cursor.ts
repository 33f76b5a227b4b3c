/** A place in a list that is sorted by time and id. */
export interface Position {
  createdMs: number
  id: string
}

/** The text under which a caller asks for what follows. */
export function encodeCursor({ createdMs, id }: Position): string {
  return Buffer.from(`${createdMs}.${id}`).toString('base64url')
}

/** Undefined when it is no cursor of a list of such ids. */
export function decodeCursor(cursor: string, prefix: string): Position | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, ms, id] = /^(-?\d{1,16})\.([a-z]+_[0-9a-z]{1,60})$/.exec(text) ?? []
  return id?.startsWith(prefix) ? { createdMs: Number(ms), id } : undefined
}
