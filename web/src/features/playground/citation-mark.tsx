import type { ContextEntry } from '@cairn/sdk'
import { Tooltip } from 'radix-ui'
import { passageOf, type Range } from './passage.ts'

export type OpenPassage = (entry: ContextEntry, range: Range | undefined) => void

/** Maximum length of the passage in the tooltip. */
const shownLength = 400

/**
 * The number of the source cited for a sentence. Hover and focus show the passage that supports it, or the beginning of
 * the chunk if none is found; a click opens the document.
 */
export function CitationMark({
  index,
  entry,
  claim,
  onOpen,
}: {
  index: number
  entry: ContextEntry | undefined
  claim: string
  onOpen: OpenPassage
}) {
  if (!entry) return null
  const range = passageOf(entry.chunk_text, claim)
  const passage = range ? entry.chunk_text.slice(range.start, range.end) : entry.chunk_text
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <button
          type="button"
          aria-label={`Source ${index + 1}: ${entry.filename}`}
          onClick={() => onOpen(entry, range)}
          className="relative -top-1 mx-0.5 inline-flex h-4 min-w-4 items-center justify-center rounded-sm border border-accent px-0.5 text-[10px] leading-none font-semibold text-accent tabular-nums hover:bg-accent hover:text-on-accent data-[state=delayed-open]:bg-accent data-[state=delayed-open]:text-on-accent"
        >
          {index + 1}
        </button>
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          side="bottom"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-[min(24rem,calc(100vw-16px))] flex-col gap-1 rounded-md border bg-raised p-3"
        >
          <span className="text-sm text-fg-3">{entry.filename}</span>
          <span className="break-words">
            {passage.length > shownLength ? `${passage.slice(0, shownLength)}…` : passage}
          </span>
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
