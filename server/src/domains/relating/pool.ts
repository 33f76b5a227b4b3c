import type { Piscina } from 'piscina'
import { workerModule } from '../../lib/package.ts'
import type { Passage, Relation } from './types.ts'

/** Relates passages away from the event loop. */
export interface RelatingPool {
  /** See `relateLocally`. Aborting ends the thread. */
  relate(passages: readonly Passage[], signal: AbortSignal): Promise<Relation[]>
  close(): Promise<void>
}

const idleThreadMs = 2_000

/** One worker thread, which starts with the first work and ends when idle. */
export function createRelatingPool(): RelatingPool {
  let threads: Promise<Piscina<readonly Passage[], Relation[]>> | undefined
  return {
    async relate(passages, signal) {
      threads ??= startThread()
      return (await threads).run(passages, { signal })
    },
    async close() {
      await (await threads)?.destroy()
    },
  }
}

async function startThread(): Promise<Piscina<readonly Passage[], Relation[]>> {
  // Loaded on first use, so that a server that does not need it does not pay for it.
  const { Piscina } = await import('piscina')
  return new Piscina<readonly Passage[], Relation[]>({
    filename: workerModule('domains/relating/worker').href,
    name: 'relateInWorker',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleThreadMs,
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 12 },
  })
}
