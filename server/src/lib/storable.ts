/**
 * Text as both databases keep it: PostgreSQL refuses NUL, and neither can encode half of a surrogate pair. Each
 * such character becomes U+FFFD.
 */
export function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

/** `storable` for a value that may be absent. */
export function storableOrNull(text: string | null | undefined): string | null {
  return text == null ? null : storable(text)
}
