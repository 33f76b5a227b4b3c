import type { Piscina } from 'piscina'
import { workerModule } from '../../lib/package.ts'
import type { ChunkFields } from './segment.ts'
import type { StoredSegment } from './store-segments.ts'

/** Work for the index that is too long for the event loop. */
export interface IndexingPool {
  segment(filename: string, chunks: readonly ChunkFields[]): Promise<StoredSegment>
  close(): Promise<void>
}

const idleThreadMs = 5_000

/** One worker thread, which starts with the first work and ends when idle. */
export function createIndexingPool(): IndexingPool {
  let threads: Promise<Piscina> | undefined
  return {
    async segment(filename, chunks) {
      threads ??= startThread()
      return (await threads).run({ filename, chunks }, { name: 'segmentInWorker' })
    },
    async close() {
      await (await threads)?.destroy()
    },
  }
}

async function startThread(): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  return new Piscina({
    filename: workerModule('domains/retrieval/worker').href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleThreadMs,
  })
}
