import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { ListFooter } from '../../shared/list-footer.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { formatMoney, formatScore, none } from '../../ui/format.ts'
import { QueryTable } from '../../ui/query-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Ago } from '../../ui/time.tsx'
import { sourceOf } from '../traces/index.ts'
import { type ScoreRow, scoresQuery } from './queries.ts'
import type { ScoreFilters } from './search.ts'

const columns: readonly Column<ScoreRow>[] = [
  { id: 'time', title: 'Time', width: 108, cell: ({ created_at }) => <Ago at={created_at} /> },
  { id: 'name', title: 'Name', width: 140, cell: ({ name }) => <span title={name}>{name}</span> },
  { id: 'value', title: 'Value', width: 76, align: 'right', cell: ({ value }) => formatScore(value) },
  {
    id: 'question',
    title: 'Input',
    width: 300,
    grow: true,
    cell: ({ question, trace_id }) =>
      question === undefined ? <CopyId id={trace_id} /> : <span title={question}>{question}</span>,
  },
  {
    id: 'comment',
    title: 'Comment',
    width: 240,
    grow: true,
    cell: ({ comment }) => <span title={comment ?? ''}>{comment ?? none}</span>,
  },
  {
    id: 'source',
    title: 'Source',
    width: 180,
    cell: (score) => <span title={sourceOf(score)}>{sourceOf(score) || none}</span>,
  },
  { id: 'cost', title: 'Cost', width: 90, align: 'right', cell: ({ cost }) => formatMoney(cost) },
  { id: 'trace', title: 'Trace', width: 230, hidden: true, cell: ({ trace_id }) => <CopyId id={trace_id} /> },
]

const keyOf = ({ score_id }: ScoreRow) => score_id

/** The scores of all traces, newest first; a row opens its trace. */
export function ScoreList({
  projectId,
  filters,
  selected,
  onOpen,
}: {
  projectId: string
  filters: ScoreFilters
  /** Id of the open trace. */
  selected: string | undefined
  onOpen: (traceId: string) => void
}) {
  const list = useInfiniteQuery(scoresQuery(projectId, filters))
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = list
  const rows = useMemo(() => data?.pages.flatMap(({ rows }) => rows), [data])
  const readMore = useCallback(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage()
  }, [hasNextPage, isFetching, error, fetchNextPage])
  return (
    <QueryTable
      query={{ data: rows, error: rows ? null : error, refetch }}
      key={JSON.stringify(filters)}
      name="scores"
      label="Scores"
      columns={columns}
      rowKey={keyOf}
      selected={selected && rows?.find(({ trace_id }) => trace_id === selected)?.score_id}
      onOpen={({ trace_id }) => onOpen(trace_id)}
      onEnd={readMore}
      footer={<ListFooter list={list} count={rows?.length ?? 0} noun="score" />}
      skeletonRows={20}
      empty={<NoScores filtered={Object.values(filters).some((value) => value !== undefined)} />}
    />
  )
}

function NoScores({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState title="No score matches these filters">
        <p>Remove a filter above, or choose a longer period.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No scores yet">
      <p>
        A score rates an output from 0 to 1. People add scores to a trace. Scorers score one trace, a batch of
        stored traces, or new traces by a rule.
      </p>
    </EmptyState>
  )
}
