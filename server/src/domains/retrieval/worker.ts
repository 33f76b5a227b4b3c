import type { ChunkFields } from './segment.ts'
import { type StoredSegment, storedSegment } from './store-segments.ts'

/** Runs in a worker thread of the pool. */
export function segmentInWorker(task: { filename: string; chunks: ChunkFields[] }): StoredSegment {
  return storedSegment(task.filename, task.chunks)
}
