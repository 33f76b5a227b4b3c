import { giveWay } from './turns.ts'

/** Small parts are sent together: a stream pays for each piece. */
const pieceLength = 64 * 1024

/** Puts parts of a long text together into pieces to send, and lets others go first between two of them. */
export async function* inPieces(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const part of parts) {
    piece += part
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
    await giveWay()
  }
  if (piece) yield piece
}
