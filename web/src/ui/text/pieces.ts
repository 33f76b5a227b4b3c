/** A part of a long text that is rendered at once. */
export interface Piece {
  /** The part; it begins with the opening fence of a code block that the part before it has left open. */
  text: string
  /** End in the whole text. */
  end: number
}

const fence = /^ {0,3}(`{3,}|~{3,})[^\n]*$/gm

/**
 * The first `count` pieces of a Markdown text. Pieces are parsed one by one, which keeps the cost of hostile texts
 * proportional to their length. They end between paragraphs if possible, else between lines.
 */
export function piecesOf(text: string, count: number, size: number): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  let opening = ''
  while (from < text.length && pieces.length < count) {
    const end = endOf(text, from, size)
    const part = opening + text.slice(from, end)
    pieces.push({ text: part, end })
    opening = openFence(part)
    from = end
  }
  return pieces
}

function endOf(text: string, from: number, size: number): number {
  // A short rest is not worth a piece of its own.
  if (text.length - from <= size * 1.2) return text.length
  const wanted = from + size
  for (const border of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(border, wanted - border.length)
    if (at >= from + size / 2) return at + border.length
  }
  const isInPair = /[\uD800-\uDBFF]/.test(text[wanted - 1] ?? '')
  return isInPair ? wanted - 1 : wanted
}

/** The line that opens the code block in which a text ends; empty outside of code. */
function openFence(text: string): string {
  let open: { line: string; mark: string } | undefined
  for (const [line, mark = ''] of text.matchAll(fence)) {
    if (!open) open = { line, mark }
    else if (mark[0] === open.mark[0] && mark.length >= open.mark.length && line.trim() === mark)
      open = undefined
  }
  return open ? `${open.line}\n` : ''
}
