import { type ChunkFields, segmentFormat, segmentOf } from './segment.ts'
import { encodeSegment } from './segment-bytes.ts'

/** What is stored of a document for the index: an encoded `Segment`, and how it is encoded. */
export interface StoredSegment {
  format: number
  bytes: Uint8Array
}

/** Tokenises and encodes; expensive for a long document, so not for the event loop. */
export function storedSegment(filename: string, chunks: readonly ChunkFields[]): StoredSegment {
  return { format: segmentFormat, bytes: encodeSegment(segmentOf(filename, chunks)) }
}
