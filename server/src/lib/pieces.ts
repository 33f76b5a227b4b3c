import { giveWay } from './turns.ts'

/** Small parts are combined to this length, because each piece of a stream has a cost. */
const pieceLength = 64 * 1024

/** Combines parts of a long text to pieces to send, and lets other work run between two pieces. */
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
