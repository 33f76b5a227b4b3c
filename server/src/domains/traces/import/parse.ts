import { isUtf8 } from 'node:buffer'
import { CairnError, type ImportedTrace } from '@cairn/contract'
import { noLimits, parseSmallJson } from '../../../lib/json/parse.ts'
import { parseIso } from '../../../lib/time.ts'
import { type ScoreRow, toScoreRow } from '../../scores/index.ts'
import type { NewTrace } from '../facts.ts'
import type { RawLine } from './lines.ts'

/** @throws `invalid_request` for a line that is too long, `malformed_json` for invalid UTF-8 or JSON */
export function parseLine({ bytes, isTooLong }: RawLine, maxBytes: number): unknown {
  if (isTooLong) throw new CairnError('invalid_request', `the line has more than ${maxBytes} bytes`)
  // Decoding would silently replace invalid bytes by U+FFFD.
  if (!isUtf8(bytes)) throw new CairnError('malformed_json', 'the line is not UTF-8')
  try {
    return parseSmallJson(bytes, noLimits)
  } catch {
    throw new CairnError('malformed_json', 'the line is not valid JSON')
  }
}

export function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)
}

export function isObject({ bytes, isTooLong }: RawLine): boolean {
  if (isTooLong) return false
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

/** Removes a byte order mark of UTF-8. */
export function withoutByteOrderMark(line: RawLine): RawLine {
  const { bytes } = line
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return hasMark ? { ...line, bytes: bytes.subarray(3) } : line
}

/** The scores of a line, oldest first. They are reversed, because an export lists the newest first. */
export function scoresOf(trace: NewTrace, { scores }: ImportedTrace): ScoreRow[] {
  const of = { projectId: trace.facts.projectId, traceId: trace.traceId }
  return (scores ?? []).toReversed().map((score) => {
    const createdMs = score.created_at == null ? trace.facts.createdMs : parseIso(score.created_at)
    if (createdMs === undefined) {
      throw new CairnError('invalid_request', "a score's created_at must be an ISO 8601 date-time")
    }
    return toScoreRow(of, score, createdMs)
  })
}
