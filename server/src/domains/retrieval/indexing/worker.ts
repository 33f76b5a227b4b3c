import type { ChunkFields, Segment } from '../segments/index.ts'
import { decodeSegment, type StoredSegment, storedSegment } from '../segments/index.ts'
import { decodeLsaFit, encodeLsaFit, fitLsa, projectSegment } from '../vectors/index.ts'
import { Scratch } from '../wasm/index.ts'

// Functions that run in a child process; tasks and replies are structured-cloneable.

export function segmentInChild(task: { filename: string; chunks: readonly ChunkFields[] }): StoredSegment {
  return storedSegment(task.filename, task.chunks)
}

/** More chunks than this improve a fit little but take long. */
const maxChunksToFit = 4_000

export async function fitLsaInChild(task: {
  segments: readonly Uint8Array[]
}): Promise<{ fit: Uint8Array; dimensions: number } | undefined> {
  const scratch = new Scratch()
  const segments = task.segments.map((encoded) => decodeSegment(encoded, scratch))
  const fit = await fitLsa(sample(segments))
  return fit && { fit: encodeLsaFit(fit), dimensions: fit.dimensions }
}

export function projectLsaInChild(task: {
  fit: Uint8Array
  segments: readonly Uint8Array[]
}): Float32Array[] {
  const fit = decodeLsaFit(task.fit)
  const scratch = new Scratch()
  return task.segments.map((encoded) => projectSegment(fit, decodeSegment(encoded, scratch)))
}

/** All documents, or every n-th one if there are too many chunks. */
function sample(segments: readonly Segment[]): Segment[] {
  const chunks = segments.reduce((sum, { bodyLengths }) => sum + bodyLengths.length, 0)
  const every = Math.ceil(chunks / maxChunksToFit)
  return segments.filter((_, index) => index % every === 0)
}
