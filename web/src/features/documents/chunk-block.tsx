import type { FileChunk } from '@cairn/sdk'
import clsx from 'clsx'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { ChunkEditor } from './chunk-editor.tsx'
import { flowingText } from './flowing-text.ts'

/** One chunk of a document with its place; `chunk` is undefined while it loads. */
export function ChunkBlock({
  chatId,
  filename,
  chunk,
  isLit,
  isDimmed,
  range,
}: {
  chatId: string
  filename: string
  chunk: FileChunk | undefined
  isLit: boolean
  /** Another chunk is highlighted. */
  isDimmed: boolean
  /** The highlighted characters of its text. */
  range: [start: number, end: number] | undefined
}) {
  const [editing, setEditing] = useState(false)
  if (!chunk) {
    return (
      <div className="h-44 px-4 py-3">
        <Skeleton className="h-3 w-40" />
      </div>
    )
  }
  const { order, page, headings, chunk_id: chunkId } = chunk
  const text = flowingText(filename, chunk.text)
  return (
    <article
      aria-label={`Chunk ${order + 1}`}
      aria-current={isLit ? true : undefined}
      className={clsx(
        'group border-b border-l-2 px-4 py-2',
        isLit ? 'border-l-accent bg-surface' : 'border-l-transparent',
      )}
    >
      <div className="flex min-h-7 items-center gap-2 text-sm text-fg-3">
        <span className="tabular-nums">{order + 1}</span>
        {page !== null && <span className="whitespace-nowrap tabular-nums">page {page}</span>}
        <span className="min-w-0 flex-1 truncate" title={headings.join(' › ')}>
          {headings.join(' › ')}
        </span>
        <span className="flex items-center opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-lg:opacity-100">
          <CopyId id={chunkId} short />
          <IconButton label={`Edit chunk ${order + 1}`} onClick={() => setEditing(true)}>
            <Pencil size={14} />
          </IconButton>
        </span>
      </div>
      {editing ? (
        <ChunkEditor chatId={chatId} chunk={chunk} onDone={() => setEditing(false)} />
      ) : (
        <p className={clsx('max-w-prose break-words whitespace-pre-wrap', isDimmed && 'text-fg-3')}>
          {range ? <Marked text={text} range={range} /> : text}
        </p>
      )}
    </article>
  )
}

function Marked({ text, range: [start, end] }: { text: string; range: [start: number, end: number] }) {
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  )
}
