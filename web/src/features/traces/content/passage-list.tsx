import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatScore } from '../../../ui/format.ts'
import { JsonTree } from '../../../ui/json-tree.tsx'
import { PlainText } from '../../../ui/text/plain-text.tsx'
import type { Passage } from './passages.ts'

const step = 20

/** The passages of a retrieval. A passage of a chat is linked to its place in the document. */
export function PassageList({
  passages,
  projectId,
  chatId,
}: {
  passages: readonly Passage[]
  projectId: string
  /** The chat of the trace, for passages that name no chat. */
  chatId: string | undefined
}) {
  const [shown, setShown] = useState(step)
  return (
    <ol aria-label="Passages" className="flex flex-col gap-2">
      {passages.slice(0, shown).map(({ text, score, source, place, others }, at) => {
        const chat = place?.chatId ?? chatId
        const name = source ?? place?.fileId ?? 'Passage'
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
          <li key={at} className="flex min-w-0 flex-col gap-1 rounded-md border p-2">
            <p className="flex items-baseline gap-2">
              <span className="text-sm text-fg-2 tabular-nums">{at + 1}</span>
              {place && chat !== undefined ? (
                <Link
                  className="link min-w-0 truncate"
                  to="/projects/$projectId/chats/$chatId/files"
                  params={{ projectId, chatId: chat }}
                  search={{ file: place.fileId, chunk: place.chunkId }}
                >
                  <bdi>{name}</bdi>
                </Link>
              ) : (
                <bdi className="min-w-0 truncate font-medium">{name}</bdi>
              )}
              {score !== undefined && (
                <span className="ms-auto shrink-0 text-sm text-fg-2 tabular-nums" title="Score">
                  {formatScore(score)}
                </span>
              )}
            </p>
            <PlainText text={text} first={600} />
            {Object.keys(others).length > 0 && (
              <JsonTree value={others} label={`Fields of passage ${at + 1}`} depth={0} />
            )}
          </li>
        )
      })}
      {passages.length > shown && (
        <li>
          <button type="button" className="link" onClick={() => setShown(shown + step)}>
            Show more ({passages.length - shown} left)
          </button>
        </li>
      )}
    </ol>
  )
}
