import { type Queue, turnMs } from '../../jobs/index.ts'
import { newId } from '../../lib/ids.ts'
import { Assembler, type AssemblerOptions, ContentionError } from './assembler.ts'
import type { AssemblyJob } from './store.ts'

/** Pause between two rounds of a project. It is at least as long as the round, so that large traces leave time to others. */
const pauseMs = { least: 250, most: 1_000 }

/** Jobs of projects with spans that are in no trace yet. The job ends when no spans are left. */
export function assemblyJobs(options: AssemblerOptions): Queue {
  const assembler = new Assembler(options)
  return {
    concurrency: 4,
    perProject: 1,
    maxAttempts: Number.POSITIVE_INFINITY,
    backoff: { baseMs: 500, maxMs: 30_000 },
    async run({ payload }, signal) {
      const { project_id } = payload as AssemblyJob
      const from = Date.now()
      // Later spans wait for the next round, so that a trace is not put together for each of them.
      const upTo = newId('spn_')
      try {
        while (await assembler.step(project_id, upTo)) {
          signal.throwIfAborted()
          if (Date.now() - from >= turnMs) return 'again'
        }
      } catch (error) {
        // An import that puts the same traces together makes progress meanwhile.
        if (error instanceof ContentionError) return { retryAt: Date.now() + pauseMs.least }
        throw error
      }
      if (await options.store.endJob(project_id)) return 'done'
      const tookMs = Date.now() - from
      return { retryAt: Date.now() + Math.min(Math.max(tookMs, pauseMs.least), pauseMs.most) }
    },
  }
}
