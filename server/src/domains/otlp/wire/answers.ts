export type Encoding = 'json' | 'protobuf'

/** What a response counts as rejected. */
export type RejectedName = 'rejectedSpans' | 'rejectedLogRecords' | 'rejectedDataPoints'

/** A response to an accepted request. `partial_success` is only there if something was rejected. */
export async function encodeAnswer(
  encoding: Encoding,
  name: RejectedName,
  { count, reason = '' }: { count: number; reason?: string | undefined },
): Promise<Buffer> {
  if (encoding === 'json') {
    const partialSuccess = { [name]: String(count), errorMessage: reason }
    return Buffer.from(JSON.stringify(count === 0 ? {} : { partialSuccess }))
  }
  const { responseInProtobuf } = await import('./protobuf-answers.ts')
  return Buffer.from(responseInProtobuf(count, reason))
}

/** The codes of google.rpc.Status for the statuses of HTTP that we send. */
const statusCodes: Record<number, number> = { 401: 16, 403: 7, 404: 5, 429: 8, 503: 14 }
const [invalidArgument, internal] = [3, 13]

/** An error as google.rpc.Status. */
export async function encodeStatus(encoding: Encoding, status: number, message: string): Promise<Buffer> {
  const code = statusCodes[status] ?? (status >= 500 ? internal : invalidArgument)
  if (encoding === 'json') return Buffer.from(JSON.stringify({ code, message }))
  const { statusInProtobuf } = await import('./protobuf-answers.ts')
  return Buffer.from(statusInProtobuf(code, message))
}
