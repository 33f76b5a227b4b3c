/** Text for a database column: PostgreSQL refuses NUL, which becomes U+FFFD as other unpaired code does. */
export function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}

/** `storable` for a value that may be absent. */
export function storableOrNull(text: string | null | undefined): string | null {
  return text == null ? null : storable(text)
}
