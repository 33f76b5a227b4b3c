import { judgeLocally } from './local/index.ts'
import { judgedOf, type LocalResult, type LocalTask } from './texts.ts'

/** Work for a child process, since a stranger wrote the texts. */
export function judgeInChild({ slug, needsExpected, traces }: LocalTask): LocalResult[] {
  return traces.map((trace) => {
    try {
      const judged = trace instanceof Uint8Array ? judgedOf(trace) : trace
      return needsExpected && judged.expected_output === undefined ? null : judgeLocally(slug, judged)
    } catch {
      return 'the judge could not be carried out'
    }
  })
}
