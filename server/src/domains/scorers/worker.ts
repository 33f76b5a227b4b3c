import { yieldToOthers } from '../../lib/thread-priority.ts'
import { judgeLocally } from '../../models/judges/index.ts'
import { judgedOf, type LocalResult, type LocalTask } from './judged.ts'

yieldToOthers()

/** Work of the pool's thread; the task and the answer cross the thread boundary. */
export function judgeInWorker({ slug, needsExpected, traces }: LocalTask): LocalResult[] {
  return traces.map((trace) => {
    try {
      const judged = trace instanceof Uint8Array ? judgedOf(trace) : trace
      return needsExpected && judged.expected_output === undefined ? null : judgeLocally(slug, judged)
    } catch {
      return 'the judge could not be carried out'
    }
  })
}
