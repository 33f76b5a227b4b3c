import { ChildError } from '../../../lib/children/child-error.ts'
import { type ChildPoolOptions, createChildPool } from '../../../lib/children/child-pool.ts'
import { workerModule } from '../../../lib/package.ts'
import type { ChunkFields, StoredSegment } from '../segments/index.ts'

/** Indexing work exceeded its limit of time or memory; a retry would fail in the same way. */
export class IndexingLimitError extends Error {
  override readonly name = 'IndexingLimitError'
}

/**
 * Indexing work that takes too long for the event loop. Segments and fits are encoded. An abort ends the work. All
 * methods reject with `IndexingLimitError` for work that exceeds the limits.
 */
export interface IndexingPool {
  segment(filename: string, chunks: readonly ChunkFields[]): Promise<StoredSegment>
  /** Returns undefined if the chunks have too few terms in common. */
  fitLsa(
    segments: readonly Uint8Array[],
    signal: AbortSignal,
  ): Promise<{ fit: Uint8Array; dimensions: number } | undefined>
  /** One array per document: the vectors of its chunks one after the other. */
  projectLsa(fit: Uint8Array, segments: readonly Uint8Array[], signal: AbortSignal): Promise<Float32Array[]>
  close(): Promise<void>
}

type Limits = Pick<ChildPoolOptions, 'timeoutMs' | 'maxMemoryBytes' | 'maxReplyBytes'>

const megabyte = 1024 * 1024
/** On an idle machine, a fit takes a few seconds and about 300 MB. */
const defaultLimits: Limits = {
  timeoutMs: 120_000,
  maxMemoryBytes: 1024 * megabyte,
  maxReplyBytes: 128 * megabyte,
}

/** Creates a pool with one child process, which starts with the first work and ends when idle. */
export function createIndexingPool(limits: Partial<Limits> = {}): IndexingPool {
  const children = createChildPool<typeof import('./worker.ts')>({
    module: workerModule('domains/retrieval/indexing/worker'),
    width: 1,
    idleMs: 2_000,
    ...defaultLimits,
    ...limits,
  })

  async function limited<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (cause) {
      if (!(cause instanceof ChildError && cause.isOverLimit)) throw cause
      throw new IndexingLimitError(cause.message, { cause })
    }
  }

  return {
    segment: (filename, chunks) => limited(children.run('segmentInChild', { filename, chunks })),
    fitLsa: (segments, signal) => limited(children.run('fitLsaInChild', { segments }, { signal })),
    projectLsa: (fit, segments, signal) =>
      limited(children.run('projectLsaInChild', { fit, segments }, { signal })),
    close: () => children.close(),
  }
}
