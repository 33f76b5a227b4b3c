import { sha256 } from './hash.ts'
import { storable } from './storable.ts'

const longest = 200
const keptInFront = 150

/**
 * Text as a key of an index: PostgreSQL takes keys of some 2,700 bytes. A longer text becomes its beginning and a
 * hash of the whole, so that equal texts stay equal and others differ.
 */
export function indexable(text: string): string {
  if (text.length <= longest) return storable(text)
  return `${storable(text.slice(0, keptInFront))}…${sha256(text).slice(0, 40)}`
}

/** `indexable` for a value that may be absent. */
export function indexableOrNull(text: string | null | undefined): string | null {
  return text == null ? null : indexable(text)
}
