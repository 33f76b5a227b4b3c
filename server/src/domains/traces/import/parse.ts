import { isUtf8 } from 'node:buffer'
import { CairnError } from '@cairn/contract'
import { noLimits, parseSmallJson } from '../../../lib/json/parse.ts'
import type { RawRecord } from './lines.ts'

/** @throws `invalid_request` for a record that is too long, `malformed_json` for invalid UTF-8 */
export function checkBytes({ bytes, isTooLong }: RawRecord, maxBytes: number): void {
  if (isTooLong) throw new CairnError('invalid_request', `the line has more than ${maxBytes} bytes`)
  // Decoding would silently replace invalid bytes by U+FFFD.
  if (!isUtf8(bytes)) throw new CairnError('malformed_json', 'the line is not UTF-8')
}

/** @throws like `checkBytes`, and `malformed_json` for invalid JSON */
export function parseRecord(record: RawRecord, maxBytes: number): unknown {
  checkBytes(record, maxBytes)
  try {
    return parseSmallJson(record.bytes, noLimits)
  } catch {
    throw new CairnError('malformed_json', 'the line is not valid JSON')
  }
}

export function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)
}

export function isObject({ bytes, isTooLong }: RawRecord): boolean {
  if (isTooLong) return false
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

/** Removes a byte order mark of UTF-8. */
export function withoutByteOrderMark(record: RawRecord): RawRecord {
  const { bytes } = record
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return hasMark ? { ...record, bytes: bytes.subarray(3) } : record
}
