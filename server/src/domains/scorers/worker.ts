import { scoreLocally } from './local/index.ts'
import { type LocalResult, type LocalTask, textsOf } from './texts.ts'

/**
 * Scores traces. Runs in a child process with limits of time and memory, because long texts would block the event loop.
 * Returns one result per trace; an exception fails only its own trace.
 */
export function scoreInChild({ slug, needsExpected, traces }: LocalTask): LocalResult[] {
  return traces.map((trace) => {
    try {
      const texts = trace instanceof Uint8Array ? textsOf(trace) : trace
      return needsExpected && texts.expected_output === undefined ? null : scoreLocally(slug, texts)
    } catch {
      return 'the scorer failed on these texts'
    }
  })
}
