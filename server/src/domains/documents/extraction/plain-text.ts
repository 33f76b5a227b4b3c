import { detectUtf16 } from './charset.ts'
import { ExtractionError } from './errors.ts'

/** Leading bytes of formats that are never text, whatever the file name claims. */
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

/** Bytes at either end of a file in which PDF readers look for its header and its end. */
export const pdfMargin = 1024

/** What is said of a file of another format than its name says. */
export function contradiction(): ExtractionError {
  return new ExtractionError('malicious', 'The content of the file contradicts its file name extension.')
}

/**
 * Decodes a text file exactly as it is: only a byte order mark is taken off.
 *
 * UTF-16 by its mark or its pattern of NULs, else the encoding that the file declares, else UTF-8, else (when the
 * bytes are not UTF-8) windows-1252.
 *
 * @param declared name of the encoding by the file's own word; unknown ones are ignored
 * @throws ExtractionError `malicious` for another format's leading bytes, `malformed` for binary data,
 *   `empty` when nothing but white space is left
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

/** True when PDF readers would open the file, too: prose that only names the header has no end of a PDF. */
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

/** UTF-16 cannot be declared in text that could be read as ASCII; UTF-8 is the default anyway. */
function isLegacyEncoding(name: string): boolean {
  try {
    return !new TextDecoder(name).encoding.startsWith('utf-')
  } catch {
    return false
  }
}
