import type { Rejections } from '../rejections.ts'
import type { OtlpSpan } from '../span.ts'
import { checkSpan } from './checked-span.ts'
import type { DecodedLog } from './decoded.ts'
import { countPointsOfJson, logsOfJson, spansOfJson } from './json.ts'

/** Loaded with the first request in protobuf: loading takes a twentieth of the server's start. */
const protobuf = () => import('./protobuf.ts')

/** A body: bytes of protobuf, or a parsed JSON value. */
export type OtlpBody = { encoding: 'protobuf'; bytes: Uint8Array } | { encoding: 'json'; value: unknown }

/**
 * The spans of a request; invalid ones are added to `rejections`.
 * @throws MalformedOtlpError, TooManyValuesError
 */
export async function decodeSpans(body: OtlpBody, rejections: Rejections): Promise<OtlpSpan[]> {
  const entries =
    body.encoding === 'json' ? spansOfJson(body.value) : (await protobuf()).spansOfProtobuf(body.bytes)
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
  const entries =
    body.encoding === 'json' ? logsOfJson(body.value) : (await protobuf()).logsOfProtobuf(body.bytes)
  const logs: DecodedLog[] = []
  for await (const entry of entries) {
    if (typeof entry === 'string') rejections.add(entry)
    else logs.push(entry)
  }
  return logs
}

/** The number of data points of a request. */
export async function countPoints(body: OtlpBody): Promise<number> {
  if (body.encoding === 'json') return countPointsOfJson(body.value)
  return (await protobuf()).countPointsOfProtobuf(body.bytes)
}
