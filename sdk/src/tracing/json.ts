function withoutCycles() {
  const above: unknown[] = []
  return function (this: unknown, _key: string, value: unknown): unknown {
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return value
    // `this` is the object that holds the value, so everything behind it in the list is no ancestor.
    above.length = above.indexOf(this) + 1
    if (above.includes(value)) return '[circular]'
    above.push(value)
    return value
  }
}

/** A value as JSON. Big integers become text, a value that contains itself is cut there. Never throws. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    try {
      return JSON.stringify(value, withoutCycles()) ?? ''
    } catch (error) {
      return JSON.stringify(`[not recorded: ${(error as Error).message}]`)
    }
  }
}

/** A text as it is, another value as JSON, undefined as an empty text. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : toJson(value)
}

/** A copy of a value that JSON can express; the value itself if it already does. */
export function toSendable<T>(value: T): T {
  try {
    JSON.stringify(value)
    return value
  } catch {
    return JSON.parse(toJson(value)) as T
  }
}
