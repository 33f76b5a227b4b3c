import type { StoredScore } from '@cairn/contract'
import { decodeStored, type StoredBody } from './record.ts'
import { toSummary } from './summary.ts'

function bytesOf(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

/**
 * Byte sequences that are searched in a stored trace, whose keys have the order of `toRecord`. A JSON string cannot contain
 * them, because it escapes quotes. An object of the client can contain the last one, so it must occur only once.
 */
const marks = {
  uncomputed: Buffer.from(',"cost":null,"created_at":'),
  summaryEnd: Buffer.from(',"metadata":{'),
  sourceless: Buffer.from(',"cost_source":null,"cost_breakdown":'),
}

/**
 * The fields of a summary as JSON without the closing brace, copied from the stored bytes without parsing. Undefined if the
 * bytes do not have the expected form.
 */
function summaryBytes({ body, cost, cost_source }: StoredBody): { fields: Buffer; end: number } | undefined {
  const bytes = bytesOf(body)
  const end = bytes.indexOf(marks.summaryEnd)
  if (end === -1) return undefined
  const fields = bytes.subarray(0, end)
  if (cost_source !== 'computed') return { fields, end }
  const at = fields.lastIndexOf(marks.uncomputed)
  if (at === -1) return undefined
  const rest = fields.subarray(at + ',"cost":null'.length)
  return { fields: Buffer.concat([fields.subarray(0, at), Buffer.from(`,"cost":${cost}`), rest]), end }
}

/** The `TraceSummary` of a trace as JSON. */
export function summaryAsJson(stored: StoredBody): Buffer {
  const summary = summaryBytes(stored)
  if (summary) return Buffer.concat([summary.fields, Buffer.from('}')])
  return Buffer.from(JSON.stringify(toSummary(decodeStored(stored))))
}

/** A trace with its scores as JSON. The stored bytes are copied; only a computed cost is inserted. */
export function traceAsJson(stored: StoredBody, scores: readonly StoredScore[]): Buffer {
  const end = Buffer.from(`,"scores":${JSON.stringify(scores)}}`)
  const bytes = bytesOf(stored.body)
  if (stored.cost_source !== 'computed') return Buffer.concat([bytes.subarray(0, -1), end])
  const summary = summaryBytes(stored)
  const source = bytes.indexOf(marks.sourceless)
  if (!summary || source === -1 || bytes.indexOf(marks.sourceless, source + 1) !== -1) {
    return Buffer.from(JSON.stringify({ ...decodeStored(stored), scores }))
  }
  return Buffer.concat([
    summary.fields,
    bytes.subarray(summary.end, source),
    Buffer.from(',"cost_source":"computed"'),
    bytes.subarray(source + ',"cost_source":null'.length, -1),
    end,
  ])
}
