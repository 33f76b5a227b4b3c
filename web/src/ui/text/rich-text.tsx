import { memo, useMemo, useState } from 'react'
import { parseMarkdown } from './markdown.ts'
import { MarkdownView } from './markdown-view.tsx'
import { piecesOf } from './pieces.ts'
import { ShowMore } from './show-more.tsx'

/** Characters that are parsed at once. The parser takes time by the square of some hostile texts. */
const pieceSize = 4000
/** Number of pieces that each click adds. */
const step = 5

const Piece = memo(function Piece({ text }: { text: string }) {
  return <MarkdownView blocks={useMemo(() => parseMarkdown(text), [text])} />
})

/** A text of any length and origin, rendered from its Markdown; HTML in it is shown as text. */
export function RichText({ text }: { text: string }) {
  const [count, setCount] = useState(1)
  const pieces = useMemo(() => piecesOf(text, count, pieceSize), [text, count])
  const end = pieces.at(-1)?.end ?? 0
  return (
    <div className="flex min-w-0 flex-col gap-2 wrap-anywhere">
      {pieces.map(({ text: part, end: key }) => (
        <Piece key={key} text={part} />
      ))}
      {end < text.length && <ShowMore left={text.length - end} onClick={() => setCount(count + step)} />}
    </div>
  )
}
