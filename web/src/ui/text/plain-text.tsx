import { useState } from 'react'
import { ShowMore } from './show-more.tsx'

/** Number of characters that are shown at first, and that each click adds. */
const firstStep = 10_000
const furtherStep = 100_000

/** A text of any length as it is, with its line breaks. */
export function PlainText({ text, first = firstStep }: { text: string; first?: number }) {
  const [end, setEnd] = useState(first)
  if (text === '') return <p className="text-fg-3">Empty</p>
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
        {text.slice(0, end)}
      </p>
      {text.length > end && <ShowMore left={text.length - end} onClick={() => setEnd(end + furtherStep)} />}
    </div>
  )
}
