import type { Piscina } from 'piscina'
import { workerModule } from '../../lib/package.ts'
import type { ChunkFields } from './segment.ts'
import type { StoredSegment } from './store-segments.ts'

/** Work for the index that is too long for the event loop. Segments and fits are encoded. */
export interface IndexingPool {
  segment(filename: string, chunks: readonly ChunkFields[]): Promise<StoredSegment>
  /** Undefined when the chunks have too little in common. */
  fitLsa(segments: readonly Uint8Array[]): Promise<{ fit: Uint8Array; dimensions: number } | undefined>
  /** The vectors of each document's chunks, one after the other. */
  foldLsa(fit: Uint8Array, segments: readonly Uint8Array[]): Promise<Float32Array[]>
  close(): Promise<void>
}

const idleThreadMs = 2_000

/** One worker thread, which starts with the first work and ends when idle. */
export function createIndexingPool(): IndexingPool {
  let threads: Promise<Piscina> | undefined
  async function run<T>(name: string, task: unknown): Promise<T> {
    threads ??= startThread()
    return (await threads).run(task, { name })
  }
  return {
    segment: (filename, chunks) => run('segmentInWorker', { filename, chunks }),
    fitLsa: (segments) => run('fitLsaInWorker', segments),
    foldLsa: (fit, segments) => run('foldLsaInWorker', { fit, segments }),
    async close() {
      await (await threads)?.destroy()
    },
  }
}

async function startThread(): Promise<Piscina> {
  // Loaded on first use, so that a server that does not need it does not pay for it.
  const { Piscina } = await import('piscina')
  return new Piscina({
    filename: workerModule('domains/retrieval/worker').href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleThreadMs,
    resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 12 },
  })
}
