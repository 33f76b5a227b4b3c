import type { Piscina } from 'piscina'
import { workerModule } from '../../lib/package.ts'
import type { LocalResult, LocalTask } from './judged.ts'

/** Judges away from the event loop. */
export interface JudgingPool {
  /** A result for each body, in their order. Aborting ends the thread. */
  judge(task: LocalTask, signal: AbortSignal): Promise<LocalResult[]>
  close(): Promise<void>
}

const idleThreadMs = 5_000

/** One worker thread, which starts with the first work and ends when idle. */
export function createJudgingPool(): JudgingPool {
  let threads: Promise<Piscina<LocalTask, LocalResult[]>> | undefined
  return {
    async judge(task, signal) {
      threads ??= startThread()
      return (await threads).run(task, { signal })
    },
    async close() {
      await (await threads)?.destroy()
    },
  }
}

async function startThread(): Promise<Piscina<LocalTask, LocalResult[]>> {
  // Loaded on first use, so that a server that does not need it does not pay for it.
  const { Piscina } = await import('piscina')
  return new Piscina<LocalTask, LocalResult[]>({
    filename: workerModule('domains/judging/worker').href,
    name: 'judgeInWorker',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleThreadMs,
  })
}
