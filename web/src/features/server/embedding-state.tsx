import { useQuery } from '@tanstack/react-query'
import { formatCount, plural } from '../../ui/format.ts'
import { Progress } from '../../ui/progress.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { embeddingQuery } from './queries.ts'

/** How many chunks of all chats have vectors of the server's embedding model, and the failures. */
export function EmbeddingState() {
  const { data, error } = useQuery(embeddingQuery)
  if (error) return <ErrorNotice error={error} title="The state of the vectors could not be read" />
  if (!data?.model) return null
  const { chunks, embedded, chats, ready, failing } = data
  return (
    <div role="status" aria-label="Vectors" className="flex max-w-prose flex-col gap-1">
      <span className="flex flex-wrap items-center gap-x-3">
        <Progress label="Chunks with vectors" done={embedded} total={chunks} className="w-32" />
        <span className="tabular-nums">
          {formatCount(embedded)} of {plural(chunks, 'chunk')} with vectors, {formatCount(ready)} of{' '}
          {plural(chats, 'chat')} complete
        </span>
      </span>
      {failing.slice(0, 3).map(({ chat_id, error }) => (
        <span key={chat_id} className="break-words text-error">
          {chat_id}: {error}. It is tried again.
        </span>
      ))}
    </div>
  )
}
