import type { StoredScore } from '@cairn/contract'
import { type StoredBody, toStoredRecord } from './record.ts'
import { toSummary } from './summary.ts'

function bytesOf(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

/**
 * Marks in the bytes of a stored trace, whose keys have the order of `toRecord`. No string of JSON can hold their quotes;
 * objects of the client can hold the last one.
 */
const marks = {
  uncomputed: Buffer.from(',"cost":null,"created_at":'),
  summaryEnd: Buffer.from(',"metadata":{'),
  sourceless: Buffer.from(',"cost_source":null,"cost_breakdown":'),
}

/**
 * The fields that a summary shows, as JSON without the brace at the end: the stored bytes, which are not parsed. Undefined
 * when they are not as they should be.
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

/** A trace as lists show it, in JSON. */
export function summaryAsJson(stored: StoredBody): Buffer {
  const summary = summaryBytes(stored)
  if (summary) return Buffer.concat([summary.fields, Buffer.from('}')])
  return Buffer.from(JSON.stringify(toSummary(toStoredRecord(stored))))
}

/** A trace with its scores, in JSON. It is stored as it is shown, but for a cost that was computed. */
export function traceAsJson(stored: StoredBody, scores: readonly StoredScore[]): Buffer {
  const end = Buffer.from(`,"scores":${JSON.stringify(scores)}}`)
  const bytes = bytesOf(stored.body)
  if (stored.cost_source !== 'computed') return Buffer.concat([bytes.subarray(0, -1), end])
  const summary = summaryBytes(stored)
  const source = bytes.indexOf(marks.sourceless)
  if (!summary || source === -1 || bytes.indexOf(marks.sourceless, source + 1) !== -1) {
    return Buffer.from(JSON.stringify({ ...toStoredRecord(stored), scores }))
  }
  return Buffer.concat([
    summary.fields,
    bytes.subarray(summary.end, source),
    Buffer.from(',"cost_source":"computed"'),
    bytes.subarray(source + ',"cost_source":null'.length, -1),
    end,
  ])
}
