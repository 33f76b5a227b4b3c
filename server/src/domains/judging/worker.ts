import { yieldToOthers } from '../../lib/thread-priority.ts'
import { judgeLocally } from '../../models/judges/index.ts'
import { judgedOf, type LocalResult, type LocalTask } from './judged.ts'

yieldToOthers()

/** Work of the pool's thread; the task and the answer cross the thread boundary. */
export function judgeInWorker({ slug, needsExpected, bodies }: LocalTask): LocalResult[] {
  return bodies.map((body) => {
    try {
      const judged = judgedOf(body)
      return needsExpected && judged.expected_output === undefined ? null : judgeLocally(slug, judged)
    } catch {
      return 'the judge could not be carried out'
    }
  })
}
