/**
 * Makes a text storable in both databases: PostgreSQL rejects NUL, and neither database can encode half of a surrogate
 * pair. Each such character becomes U+FFFD.
 */
export function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

/** `storable` for an optional value. */
export function storableOrNull(text: string | null | undefined): string | null {
  return text == null ? null : storable(text)
}
