import type { ContextEntry } from '@cairn/sdk'
import clsx from 'clsx'
import { formatScore } from '../../ui/format.ts'
import type { OpenPassage } from './citation-mark.tsx'

/** The passages that the search found: cited passages first, then passages that the answer did not use. */
export function ContextList({
  context,
  cited,
  onOpen,
}: {
  context: readonly ContextEntry[]
  /** Indexes of the cited passages. */
  cited: ReadonlySet<number>
  onOpen: OpenPassage
}) {
  const entries = context.map((entry, index) => ({ entry, index }))
  const used = entries.filter(({ index }) => cited.has(index))
  const unused = entries.filter(({ index }) => !cited.has(index))
  return (
    <div className="flex flex-col gap-1">
      {used.length > 0 && (
        <ol aria-label="Used by the answer">
          {used.map(({ entry, index }) => (
            <SourceRow key={entry.chunk_id} entry={entry} index={index} isUsed onOpen={onOpen} />
          ))}
        </ol>
      )}
      {unused.length > 0 && (
        <details open={used.length === 0}>
          <summary className="flex h-7 items-center text-sm text-fg-3 hover:text-fg">
            {used.length > 0
              ? `Also found, but not used (${unused.length})`
              : `Found, but not used (${unused.length})`}
          </summary>
          <ol aria-label="Not used by the answer">
            {unused.map(({ entry, index }) => (
              <SourceRow key={entry.chunk_id} entry={entry} index={index} isUsed={false} onOpen={onOpen} />
            ))}
          </ol>
        </details>
      )}
    </div>
  )
}

function withoutHeadingMarks(text: string): string {
  return text.replace(/^#{1,6}\s+/gm, '')
}

function SourceRow({
  entry,
  index,
  isUsed,
  onOpen,
}: {
  entry: ContextEntry
  index: number
  isUsed: boolean
  onOpen: OpenPassage
}) {
  return (
    <li>
      <button
        type="button"
        onClick={() => onOpen(entry, undefined)}
        className={clsx(
          'flex min-h-8 w-full flex-wrap items-center gap-x-2 rounded-sm px-1 text-left hover:bg-hover sm:flex-nowrap',
          isUsed ? 'text-fg' : 'text-fg-3',
        )}
        data-used={isUsed}
      >
        <span
          className={clsx(
            'inline-flex h-4 min-w-4 shrink-0 items-center justify-center rounded-sm border px-0.5 text-[10px] leading-none font-semibold tabular-nums',
            isUsed ? 'border-accent text-accent' : 'border-dashed border-line-strong',
          )}
        >
          {index + 1}
        </span>
        <span className={clsx('max-w-48 shrink-0 truncate', isUsed && 'font-medium')} title={entry.filename}>
          {entry.filename}
        </span>
        <span
          className="min-w-0 truncate text-fg-3 max-sm:order-last max-sm:w-full max-sm:pl-6 sm:flex-1"
          title={entry.chunk_text}
        >
          {withoutHeadingMarks(entry.chunk_text)}
        </span>
        <span className="ml-auto shrink-0 text-sm text-fg-3 tabular-nums" title="Score from 0 to 1">
          {formatScore(entry.score)}
        </span>
      </button>
    </li>
  )
}
