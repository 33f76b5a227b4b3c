import type { Rejections } from '../rejections.ts'
import type { OtlpSpan } from '../span.ts'
import { checkSpan } from './checked-span.ts'
import type { DecodedLog } from './decoded.ts'
import { countPointsOfJson, logsOfJson, spansOfJson } from './json.ts'
import { countPointsOfProtobuf, logsOfProtobuf, spansOfProtobuf } from './protobuf.ts'

/** A body: bytes of protobuf, or a parsed JSON value. */
export type OtlpBody = { encoding: 'protobuf'; bytes: Uint8Array } | { encoding: 'json'; value: unknown }

/**
 * The spans of a request; invalid ones are added to `rejections`.
 * @throws MalformedOtlpError, TooManyValuesError
 */
export async function decodeSpans(body: OtlpBody, rejections: Rejections): Promise<OtlpSpan[]> {
  const entries = body.encoding === 'json' ? spansOfJson(body.value) : spansOfProtobuf(body.bytes)
  const spans: OtlpSpan[] = []
  for await (const entry of entries) {
    const span = typeof entry === 'string' ? entry : checkSpan(entry)
    if (typeof span === 'string') rejections.add(span)
    else spans.push(span)
  }
  return spans
}

/** The log records of a request; see `decodeSpans`. */
export async function decodeLogs(body: OtlpBody, rejections: Rejections): Promise<DecodedLog[]> {
  const entries = body.encoding === 'json' ? logsOfJson(body.value) : logsOfProtobuf(body.bytes)
  const logs: DecodedLog[] = []
  for await (const entry of entries) {
    if (typeof entry === 'string') rejections.add(entry)
    else logs.push(entry)
  }
  return logs
}

/** The number of data points of a request. */
export async function countPoints(body: OtlpBody): Promise<number> {
  return body.encoding === 'json' ? countPointsOfJson(body.value) : countPointsOfProtobuf(body.bytes)
}
