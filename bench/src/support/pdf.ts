/** Assembles a PDF file from numbered objects, with cross-reference table and trailer. Each character is one byte. */
export function assemblePdf(objects: readonly string[]): Uint8Array<ArrayBuffer> {
  const parts = ['%PDF-1.4\n']
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  for (const [index, body] of objects.entries()) {
    offsets.push(length)
    const object = `${index + 1} 0 obj\n${body}\nendobj\n`
    parts.push(object)
    length += object.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(`xref\n0 ${size}\n0000000000 65535 f \n${rows}`)
  parts.push(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`)
  return new Uint8Array(Buffer.from(parts.join(''), 'latin1'))
}
