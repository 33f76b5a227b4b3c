import type { BreakdownGroup } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { withFilter } from '../../shared/filters/filters.ts'
import { tracesLink } from '../../shared/traces-link.ts'
import { Swatch } from '../../ui/chart/legend.tsx'
import { CostSum } from '../../ui/cost-sum.tsx'
import { formatCompact, formatDuration, formatMoney, formatShare } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { styleOf } from './chart-data.ts'
import { dimensionTitle } from './group-picker.tsx'
import { breakdownQuery, type View } from './queries.ts'
import { type Dimension, dimensions } from './search.ts'

const rows = 20

const columns: readonly { title: string; cell: (group: BreakdownGroup) => ReactNode }[] = [
  { title: 'Errors', cell: ({ error_rate }) => formatShare(error_rate) },
  { title: 'p50', cell: ({ p50_latency_ms: ms }) => formatDuration(ms || null) },
  { title: 'p95', cell: ({ p95_latency_ms: ms }) => formatDuration(ms || null) },
  {
    title: 'Cost',
    cell: ({ total_cost, unpriced_traces, traces }) => (
      <CostSum cost={total_cost} unpriced={unpriced_traces} traces={traces} />
    ),
  },
  {
    title: 'Cost per trace',
    cell: ({ avg_cost, unpriced_traces, traces }) =>
      formatMoney(unpriced_traces === traces ? null : avg_cost),
  },
  { title: 'Tokens', cell: ({ total_tokens }) => formatCompact(total_tokens) },
]

/** The groups with the most traces, with a tab for each dimension. */
export function Breakdowns({
  view,
  top,
  onTop,
  onFilter,
}: {
  view: View
  top: Dimension
  onTop: (top: Dimension) => void
  onFilter: (name: string, value: string) => void
}) {
  return (
    <Section title="Breakdown">
      <Tabs
        label="Break down by"
        tabs={dimensions.map((name) => ({
          name,
          title: `${dimensionTitle(name)}s`.replace('Statuss', 'Status'),
        }))}
        value={top}
        onChange={onTop}
      >
        {(name) => <BreakdownTable view={view} name={name} onFilter={(value) => onFilter(name, value)} />}
      </Tabs>
    </Section>
  )
}

function BreakdownTable({
  view: { projectId, filters, period },
  name,
  onFilter,
}: {
  view: View
  name: Dimension
  onFilter: (value: string) => void
}) {
  const { data, error, refetch } = useQuery(breakdownQuery(projectId, filters, period.elapsed, name, rows))
  const title = dimensionTitle(name)
  return (
    <QueryState
      query={{ data: data?.group_by === name ? data : undefined, error, refetch }}
      name="the breakdown"
      rows={4}
    >
      {(data) => {
        if (data.groups.length === 0) {
          return <p className="py-4 text-fg-3">No trace in this period has a {title.toLowerCase()}.</p>
        }
        const names = data.groups.map(({ group }) => group)
        return (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it sideways too
          <div className="overflow-x-auto" tabIndex={0}>
            <table
              aria-label={`By ${title.toLowerCase()}`}
              className="w-full min-w-2xl [&_td]:h-8 [&_td]:border-b [&_td]:px-3 [&_td]:whitespace-nowrap [&_th]:h-8 [&_th]:border-b [&_th]:px-3"
            >
              <thead className="text-sm text-fg-2">
                <tr>
                  <th scope="col" className="text-left font-medium">
                    {title}
                  </th>
                  <th scope="col" className="w-28 text-right font-medium">
                    Traces
                  </th>
                  {columns.map((column) => (
                    <th key={column.title} scope="col" className="w-28 text-right font-medium">
                      {column.title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.groups.map((group) => (
                  <tr key={group.group} className="hover:bg-hover">
                    <th scope="row" className="max-w-72 truncate text-left font-normal">
                      <span className="mr-2">
                        <Swatch series={{ name: group.group, values: [], ...styleOf(group.group, names) }} />
                      </span>
                      <button
                        type="button"
                        className="hover:underline"
                        title={`Show only ${group.group}`}
                        onClick={() => onFilter(group.group)}
                      >
                        {group.group}
                      </button>
                    </th>
                    <td className="text-right tabular-nums">
                      <Link
                        {...tracesLink(projectId, {
                          ...withFilter(filters, name, group.group),
                          ...period.whole,
                        })}
                        className="link"
                        aria-label={`${formatCompact(group.traces)} traces of ${group.group}`}
                      >
                        {formatCompact(group.traces)}
                      </Link>
                    </td>
                    {columns.map((column) => (
                      <td key={column.title} className="text-right tabular-nums">
                        {column.cell(group)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            {data.groups.length === rows && (
              <p className="px-3 py-2 text-fg-3">Only the {rows} groups with the most traces are shown.</p>
            )}
          </div>
        )
      }}
    </QueryState>
  )
}
