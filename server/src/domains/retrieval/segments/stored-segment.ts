import { type ChunkFields, segmentFormat, segmentOf } from './segment.ts'
import { encodeSegment } from './segment-bytes.ts'

/** An encoded `Segment` and the version of its format. */
export interface StoredSegment {
  format: number
  bytes: Uint8Array
}

/** Tokenizes and encodes a document. Call it in a child process, because it takes long for a long document. */
export function storedSegment(filename: string, chunks: readonly ChunkFields[]): StoredSegment {
  return { format: segmentFormat, bytes: encodeSegment(segmentOf(filename, chunks)) }
}
