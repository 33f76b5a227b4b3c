import type { UsageGroup, UsageRow } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { projectsQuery } from '../../shared/queries/projects.ts'
import { oneOf } from '../../shared/search-params.ts'
import { Facts } from '../../ui/facts.tsx'
import { Select } from '../../ui/field.tsx'
import { formatCompact, formatCount, formatDay, formatMoney, plural } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { usageQuery } from './queries.ts'

const groups: Record<UsageGroup, string> = {
  day: 'Day',
  model: 'Model',
  chat: 'Chat',
  purpose: 'Purpose',
  app: 'Application',
  user: 'User',
  project: 'Project',
}
const periods = ['7', '30', '90', '365'] as const

function ProjectName({ projectId }: { projectId: string }) {
  const { data: projects } = useQuery(projectsQuery)
  const name = projects?.find(({ project_id }) => project_id === projectId)?.name
  return (
    <Link
      to="/projects/$projectId/settings/$section"
      params={{ projectId, section: 'usage' }}
      className="link"
    >
      {name ?? projectId}
    </Link>
  )
}

function nameOf(row: UsageRow, group: UsageGroup) {
  if (group === 'day') return row.day ? formatDay(`${row.day}T12:00:00Z`) : '–'
  if (group === 'project' && row.project_id) return <ProjectName projectId={row.project_id} />
  const names = {
    model: row.model,
    chat: row.chat_id,
    purpose: row.purpose,
    app: row.app_id,
    user: row.user_id,
  }
  return <code>{names[group as keyof typeof names] ?? 'none'}</code>
}

const columnsOf = (group: UsageGroup): readonly PlainColumn<UsageRow>[] => [
  { id: 'name', title: groups[group], wrap: true, cell: (row) => nameOf(row, group) },
  { id: 'answers', title: 'Answers', align: 'right', cell: ({ answers }) => formatCount(answers) },
  { id: 'in', title: 'Tokens in', align: 'right', cell: ({ prompt_tokens }) => formatCompact(prompt_tokens) },
  {
    id: 'out',
    title: 'Tokens out',
    align: 'right',
    cell: ({ completion_tokens }) => formatCompact(completion_tokens),
  },
  { id: 'credits', title: 'Credits', align: 'right', cell: ({ credits }) => formatCount(credits) },
  { id: 'cost', title: 'Cost', align: 'right', cell: ({ cost }) => formatMoney(cost) },
]

/** The first day (UTC) of a period of `days` that ends today. A whole day keeps the query key stable. */
function startOf(days: number): string {
  return new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10)
}

/** Tokens, credits and costs of answers, for one project or all projects. */
export function Usage({
  projectId,
  group: named,
  days: chosen,
  onChange,
}: {
  projectId?: string
  group: string | undefined
  days: string | undefined
  onChange: (search: { group?: string; days?: string }) => void
}) {
  const names = (Object.keys(groups) as UsageGroup[]).filter((name) => !projectId || name !== 'project')
  const group = oneOf(names, named) ?? (projectId ? 'day' : 'project')
  const days = oneOf(periods, chosen) ?? '30'
  const { data, error, refetch } = useQuery(usageQuery(projectId, group, startOf(Number(days))))
  return (
    <Section
      title="Usage"
      note="Includes answers of chats and scores by models. Credits are tokens / 1,000 × the multiplier of the model."
      actions={
        <>
          <Select
            aria-label="Period"
            value={days}
            onChange={(event) => onChange({ group, days: event.target.value })}
          >
            {periods.map((period) => (
              <option key={period} value={period}>{`${period} days`}</option>
            ))}
          </Select>
          <Select
            aria-label="Group by"
            value={group}
            onChange={(event) => onChange({ group: event.target.value, days })}
          >
            {names.map((name) => (
              <option key={name} value={name}>{`By ${groups[name].toLowerCase()}`}</option>
            ))}
          </Select>
        </>
      }
    >
      <QueryState query={{ data, error, refetch }} name="the usage" rows={4}>
        {(data) => (
          <>
            <Facts
              facts={[
                { name: 'Answers', value: formatCount(data.total.answers) },
                { name: 'Tokens', value: formatCompact(data.total.total_tokens) },
                { name: 'Credits', value: formatCount(data.total.credits) },
                { name: 'Cost', value: formatMoney(data.total.cost) },
                ...(data.total.unpriced > 0
                  ? [{ name: 'Without a price', value: plural(data.total.unpriced, 'answer') }]
                  : []),
              ]}
            />
            {data.rows.length === 0 ? (
              <p className="text-fg-2">No answers in this period.</p>
            ) : (
              <PlainTable
                label="Usage"
                columns={columnsOf(group)}
                rows={data.rows}
                rowKey={({ day, model, chat_id, purpose, app_id, user_id, project_id }) =>
                  [day, model, chat_id, purpose, app_id, user_id, project_id].join(' ')
                }
              />
            )}
            {data.truncated && <p className="text-fg-3">Not all rows are shown.</p>}
          </>
        )}
      </QueryState>
    </Section>
  )
}
