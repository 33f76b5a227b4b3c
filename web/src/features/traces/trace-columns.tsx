import type { TracePreview } from '@cairn/sdk'
import { CopyId } from '../../ui/copy-button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { formatCompact, formatCost, formatDuration, formatScore, none, noPrice } from '../../ui/format.ts'
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
  return (
    <span title={`${formatCompact(prompt)} in, ${formatCompact(completion)} out`}>
      {formatCompact(prompt)} → {formatCompact(completion)}
    </span>
  )
}

function Cost({ cost, isCall }: { cost: number | null; isCall: boolean }) {
  const text = formatCost(cost, isCall)
  return text === noPrice ? (
    <span
      className="text-fg-3"
      title="The price of the model is unknown; set it in the settings of the project"
    >
      {text}
    </span>
  ) : (
    text
  )
}

const plain = (text: string | null) => text ?? none

export const traceColumns: readonly Column<TracePreview>[] = [
  { id: 'status', title: 'Status', width: 78, cell: ({ status }) => <StatusCell status={status} /> },
  {
    id: 'time',
    title: 'Time',
    width: 102,
    sortable: true,
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
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
    grow: true,
    cell: ({ output }) => <Preview text={output} />,
  },
  {
    id: 'model',
    title: 'Model',
    width: 120,
    cell: ({ model }) => <span title={model ?? ''}>{plain(model)}</span>,
  },
  { id: 'version', title: 'Version', width: 72, cell: ({ version }) => plain(version) },
  {
    id: 'latency',
    title: 'Latency',
    width: 84,
    align: 'right',
    sortable: true,
    cell: ({ latency_ms }) => formatDuration(latency_ms),
  },
  {
    id: 'tokens',
    title: 'Tokens',
    width: 112,
    align: 'right',
    sortable: true,
    cell: ({ token_usage }) => <Tokens usage={token_usage} />,
  },
  {
    id: 'cost',
    title: 'Cost',
    width: 84,
    align: 'right',
    sortable: true,
    cell: ({ cost, model, token_usage }) => (
      <Cost cost={cost} isCall={model !== null || token_usage !== null} />
    ),
  },
  {
    id: 'tags',
    title: 'Tags',
    width: 104,
    cell: ({ tags }) => (
      <span className="flex items-center gap-1" title={tags.join(', ')}>
        {tags[0] !== undefined && <Chip>{tags[0]}</Chip>}
        {tags.length > 1 && <span className="shrink-0 text-fg-2">+{tags.length - 1}</span>}
      </span>
    ),
  },
  {
    id: 'scores',
    title: 'Scores',
    width: 112,
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
