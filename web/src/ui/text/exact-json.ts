/** `JSON.rawJSON` and the source of values are newer than the types of the library. */
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown
interface ExactJson {
  parse(text: string, reviver: Reviver): unknown
  rawJSON?(source: string): unknown
  isRawJSON?(value: unknown): boolean
}

const json = JSON as ExactJson
/** Texts with a number that may be written differently than a parsed number. */
const mayBeInexact = /\d{16}|\.\d*0(?!\d)|\d[eE][+-]?\d|-0(?![.\d])/

/**
 * Parses a text that is a JSON object or list; undefined for other texts. Numbers that JavaScript cannot hold as written
 * keep their digits, if the browser can.
 */
export function parseExactJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  const { rawJSON } = json
  try {
    if (rawJSON && mayBeInexact.test(text)) {
      return json.parse(text, (_key, value, context) =>
        typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
          ? rawJSON.call(JSON, context.source)
          : value,
      )
    }
  } catch (error) {
    // A reviver overflows the stack on deep values; the plain parser does not.
    if (!(error instanceof RangeError)) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The digits of a number that was kept as written. */
export function exactNumber(value: unknown): string | undefined {
  return json.isRawJSON?.(value) ? (value as { rawJSON: string }).rawJSON : undefined
}
