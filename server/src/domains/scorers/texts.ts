import { expectedOf, type Judged, type Judgement, type TraceTexts } from './local/index.ts'

/** What is judged of a stored trace. */
export function judgedOf(body: Uint8Array): Judged {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  const trace = JSON.parse(text) as TraceTexts
  return { input: trace.input, output: trace.output, expected_output: expectedOf(trace) }
}

/** Work of a child process: a scorer and what it judges, bodies of stored traces or their texts. */
export interface LocalTask {
  slug: string
  needsExpected: boolean
  traces: readonly (Uint8Array | Judged)[]
}

/** Null where the trace lacks the expected output; a text says why there is no judgement. */
export type LocalResult = Judgement | null | string
