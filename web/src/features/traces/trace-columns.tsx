import type { TracePreview } from '@cairn/sdk'
import { CopyId } from '../../ui/copy-button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { formatCompact, formatDuration, formatMoney, formatScore, none } from '../../ui/format.ts'
import { Chip, StatusBadge } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'

/** The status of a trace as a badge. */
export function TraceStatus({ status }: { status: TracePreview['status'] }) {
  return status === 'success' ? (
    <StatusBadge kind="success">Success</StatusBadge>
  ) : (
    <StatusBadge kind="error">Error</StatusBadge>
  )
}

/** In a table, successes are icons without a word, so that errors stand out. */
function StatusCell({ status }: { status: TracePreview['status'] }) {
  if (status === 'error') return <TraceStatus status={status} />
  return (
    <span title="Success">
      <StatusBadge kind="success">
        <span className="sr-only">Success</span>
      </StatusBadge>
    </span>
  )
}

/** A long text on one line. */
function Preview({ text }: { text: string }) {
  return <span title={text}>{text.replace(/\s+/g, ' ')}</span>
}

function Tokens({ usage }: { usage: TracePreview['token_usage'] }) {
  if (!usage) return none
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage
  if (prompt == null && completion == null) return formatCompact(total)
  return `${formatCompact(prompt)} → ${formatCompact(completion)}`
}

const plain = (text: string | null) => text ?? none

export const traceColumns: readonly Column<TracePreview>[] = [
  { id: 'status', title: 'Status', width: 78, cell: ({ status }) => <StatusCell status={status} /> },
  { id: 'time', title: 'Time', width: 102, cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    id: 'name',
    title: 'Name',
    width: 136,
    hidden: true,
    cell: ({ name }) => <span title={name}>{name ?? none}</span>,
  },
  { id: 'input', title: 'Input', width: 300, grow: true, cell: ({ input }) => <Preview text={input} /> },
  {
    id: 'output',
    title: 'Output',
    width: 220,
    hidden: true,
    cell: ({ output }) => <Preview text={output} />,
  },
  {
    id: 'model',
    title: 'Model',
    width: 136,
    cell: ({ model }) => <span title={model ?? ''}>{plain(model)}</span>,
  },
  { id: 'version', title: 'Version', width: 76, cell: ({ version }) => plain(version) },
  {
    id: 'latency',
    title: 'Latency',
    width: 80,
    align: 'right',
    cell: ({ latency_ms }) => formatDuration(latency_ms),
  },
  {
    id: 'tokens',
    title: 'Tokens in → out',
    width: 120,
    align: 'right',
    cell: ({ token_usage }) => <Tokens usage={token_usage} />,
  },
  { id: 'cost', title: 'Cost', width: 92, align: 'right', cell: ({ cost }) => formatMoney(cost) },
  {
    id: 'tags',
    title: 'Tags',
    width: 130,
    cell: ({ tags }) => (
      <span className="flex gap-1" title={tags.join(', ')}>
        {tags.slice(0, 3).map((tag) => (
          <Chip key={tag}>{tag}</Chip>
        ))}
      </span>
    ),
  },
  {
    id: 'scores',
    title: 'Scores',
    width: 130,
    cell: ({ scores }) => {
      const text = scores.map(({ name, value }) => `${name} ${formatScore(value)}`).join(', ')
      return <span title={text}>{text || none}</span>
    },
  },
  {
    id: 'session',
    title: 'Session',
    width: 116,
    hidden: true,
    cell: ({ session_id }) => <Id id={session_id} />,
  },
  { id: 'user', title: 'User', width: 110, hidden: true, cell: ({ user_id }) => <Id id={user_id} /> },
  {
    id: 'environment',
    title: 'Environment',
    width: 110,
    hidden: true,
    cell: ({ environment }) => plain(environment),
  },
  { id: 'id', title: 'Id', width: 250, hidden: true, cell: ({ trace_id }) => <CopyId id={trace_id} /> },
]

function Id({ id }: { id: string | null }) {
  return id === null ? none : <CopyId id={id} />
}
