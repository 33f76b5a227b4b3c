import type { EmbeddingProgress } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Facts } from '../../ui/facts.tsx'
import { formatCount, formatTime, plural } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { embeddingProgressQuery } from './queries.ts'

const badges = {
  off: ['info', 'No embedding model'],
  ready: ['success', 'Complete'],
  running: ['info', 'Embedding'],
  waiting: ['info', 'Starts with the next question'],
  failing: ['error', 'Failing'],
} as const

/** The embedding model of a chat, and the progress of its vectors. */
export function EmbeddingPanel({ chatId }: { chatId: string }) {
  const query = useQuery(embeddingProgressQuery(chatId))
  return (
    <Section title="Vectors">
      <QueryState query={query} name="the state of the vectors" rows={2}>
        {(progress) => <State progress={progress} />}
      </QueryState>
    </Section>
  )
}

function State({ progress }: { progress: EmbeddingProgress }) {
  const { model, in_use: inUse, chunks, embedded, state, error, next_attempt_at: next } = progress
  const [kind, title] = badges[state]
  return (
    <div role="status" className="flex flex-col gap-3">
      <Facts
        facts={[
          { name: 'State', value: <StatusBadge kind={kind}>{title}</StatusBadge> },
          { name: 'Model', value: model ? <code>{model}</code> : 'None' },
          { name: 'Searches use', value: inUse ? <code>{inUse}</code> : 'Words' },
        ]}
      />
      {model && (
        <span className="flex flex-wrap items-center gap-x-3 tabular-nums">
          <Progress label="Chunks with vectors" done={embedded} total={chunks} className="w-32" />
          {formatCount(embedded)} of {plural(chunks, 'chunk')}
        </span>
      )}
      {error && (
        <p className="break-words text-error">
          {error}. {next && `Next attempt at ${formatTime(next)}.`}
        </p>
      )}
    </div>
  )
}
