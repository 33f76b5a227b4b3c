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
]

/**
 * Decodes a text file exactly as it is: only a byte order mark is taken off.
 *
 * UTF-16 by its mark, else UTF-8, else (when the bytes are not UTF-8) windows-1252.
 *
 * @throws ExtractionError `malicious` for another format's leading bytes, `malformed` for binary data,
 *   `empty` when nothing but white space is left
 */
export function decodeText(bytes: Uint8Array): string {
  refuseForeignFormat(bytes)
  const text = decode(bytes)
  if (text.includes('\0')) throw new ExtractionError('malformed', 'The file is binary data, not text.')
  if (text.trim() === '') throw new ExtractionError('empty')
  return text
}

function refuseForeignFormat(bytes: Uint8Array): void {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(8, bytes.byteLength)).toString('latin1')
  if (foreignSignatures.some((signature) => head.startsWith(signature))) {
    throw new ExtractionError('malicious', 'The content of the file contradicts its file name extension.')
  }
}

function decode(bytes: Uint8Array): string {
  const encoding = encodingByMark(bytes)
  try {
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
