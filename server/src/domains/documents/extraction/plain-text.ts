import { detectUtf16 } from './charset.ts'
import { ExtractionError } from './errors.ts'

/** Leading bytes of binary formats. */
const foreignSignatures = [
  '%PDF-',
  'PK\x03\x04',
  '\x89PNG',
  '\x7fELF',
  'GIF8',
  '\xff\xd8\xff',
  '\x1f\x8b',
  '{\\rtf',
  '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
  "7z\xbc\xaf'\x1c",
  'Rar!\x1a\x07',
]

/** PDF readers search this many bytes at the start of a file for its header, and at the end for its trailer. */
export const pdfMargin = 1024

/** The error for a file whose format contradicts its extension. */
export function contradiction(): ExtractionError {
  return new ExtractionError('malicious', 'The content of the file contradicts its file name extension.')
}

/**
 * Decodes a text file. Only a byte order mark is removed.
 *
 * The encoding is UTF-16 if there is a byte order mark or the pattern of NULs. Otherwise it is the declared encoding,
 * then UTF-8, and windows-1252 if the bytes are not valid UTF-8.
 *
 * @param declared name of the encoding that the file declares; unknown names are ignored
 * @throws ExtractionError `malicious` for the leading bytes of another format, `malformed` for binary data, `empty`
 *   if there is only white space
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  refuseForeignFormat(bytes)
  const text = decode(bytes, declared)
  if (text.includes('\0')) throw new ExtractionError('malformed', 'The file is binary data, not text.')
  if (text.trim() === '') throw new ExtractionError('empty')
  return text
}

function refuseForeignFormat(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const head = file.toString('latin1', 0, 8)
  if (foreignSignatures.some((signature) => head.startsWith(signature)) || isAlsoPdf(file)) {
    throw contradiction()
  }
}

/** True if PDF readers would also open the file. Text that only mentions the header has no PDF trailer. */
function isAlsoPdf(file: Buffer): boolean {
  return (
    /%PDF-\d\.\d/.test(file.toString('latin1', 0, pdfMargin)) &&
    /startxref\s+\d+\s+%%EOF/.test(file.toString('latin1', Math.max(0, file.length - pdfMargin)))
  )
}

function decode(bytes: Uint8Array, declared: string | undefined): string {
  const encoding = encodingByMark(bytes) ?? detectUtf16(bytes)
  try {
    if (!encoding && declared && isLegacyEncoding(declared)) return new TextDecoder(declared).decode(bytes)
    return new TextDecoder(encoding ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    if (encoding) throw new ExtractionError('malformed', 'The text of the file is damaged.', { cause })
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function encodingByMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

/** False for UTF-16, whose declaration would not be readable as ASCII, and for UTF-8, which is the default. */
function isLegacyEncoding(name: string): boolean {
  try {
    return !new TextDecoder(name).encoding.startsWith('utf-')
  } catch {
    return false
  }
}
