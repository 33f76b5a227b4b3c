import { sha256 } from './hash.ts'
import { storable } from './storable.ts'

const longest = 200
const keptInFront = 150

/**
 * A text as an index key. PostgreSQL limits keys to about 2,700 bytes. A longer text becomes its beginning and a hash of
 * the whole text, so equal texts stay equal and different texts stay different.
 */
export function indexable(text: string): string {
  if (text.length <= longest) return storable(text)
  return `${storable(text.slice(0, keptInFront))}…${sha256(text).slice(0, 40)}`
}

/** `indexable` for an optional value. */
export function indexableOrNull(text: string | null | undefined): string | null {
  return text == null ? null : indexable(text)
}
