/** A line without its line break; `start` is its UTF-16 offset in the text. */
export interface Line {
  start: number
  line: string
}

/** The lines of a text; a line ends with CRLF, CR or LF. */
export function* linesOf(text: string): Generator<Line> {
  const ending = /\r\n|\r|\n/g
  let start = 0
  for (let end = ending.exec(text); end; end = ending.exec(text)) {
    yield { start, line: text.slice(start, end.index) }
    start = ending.lastIndex
  }
  yield { start, line: text.slice(start) }
}
