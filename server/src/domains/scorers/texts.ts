import { expectedOf, type ScoredTexts, type ScoreResult, type TraceTexts } from './local/index.ts'

/** The texts to score in the stored body of a trace. */
export function textsOf(body: Uint8Array): ScoredTexts {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  const trace = JSON.parse(text) as TraceTexts
  return { input: trace.input, output: trace.output, expected_output: expectedOf(trace) }
}

/** Work of a child process: a scorer, and the traces to score, as stored bodies or as texts. */
export interface LocalTask {
  slug: string
  needsExpected: boolean
  traces: readonly (Uint8Array | ScoredTexts)[]
}

/** Null if the trace has no expected output; a text is the reason of a failure. */
export type LocalResult = ScoreResult | null | string
