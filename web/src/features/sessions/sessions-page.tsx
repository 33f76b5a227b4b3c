import { CairnApiError, type Session } from '@cairn/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { createLazyRoute, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { viewOf } from '../../shared/filters/view.ts'
import { ListFooter } from '../../shared/list-footer.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import { CostSum } from '../../ui/cost-sum.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { formatCompact, formatCount, formatDuration, none } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { TraceBar } from '../traces/index.ts'
import { sessionsQuery } from './queries.ts'

const from = '/signed-in/projects/$projectId/sessions'
export const SessionsPage = createLazyRoute(from)({ component: Sessions })

const columns: readonly Column<Session>[] = [
  {
    id: 'session',
    title: 'Session',
    width: 240,
    grow: true,
    cell: ({ session_id }) => <CopyId id={session_id} />,
  },
  { id: 'last', title: 'Last trace', width: 104, cell: ({ last_trace_at: at }) => <Ago at={at} /> },
  { id: 'first', title: 'First trace', width: 104, cell: ({ first_trace_at: at }) => <Ago at={at} /> },
  {
    id: 'user',
    title: 'User',
    width: 160,
    cell: ({ user_id: id }) => (id === null ? none : <CopyId id={id} />),
  },
  {
    id: 'traces',
    title: 'Traces',
    width: 80,
    align: 'right',
    cell: ({ trace_count }) => formatCount(trace_count),
  },
  {
    id: 'errors',
    title: 'Errors',
    width: 88,
    align: 'right',
    cell: ({ error_count: count }) =>
      count > 0 ? <StatusBadge kind="error">{formatCount(count)}</StatusBadge> : none,
  },
  {
    id: 'tokens',
    title: 'Tokens',
    width: 88,
    align: 'right',
    cell: ({ total_tokens }) => formatCompact(total_tokens),
  },
  {
    id: 'cost',
    title: 'Cost',
    width: 100,
    align: 'right',
    cell: ({ total_cost, unpriced_count, trace_count }) => (
      <CostSum cost={total_cost} unpriced={unpriced_count} traces={trace_count} />
    ),
  },
  {
    id: 'latency',
    title: 'Mean latency',
    width: 140,
    align: 'right',
    cell: ({ avg_latency_ms }) => formatDuration(avg_latency_ms),
  },
]

const keyOf = ({ session_id }: Session) => session_id

/** The screen of all sessions: groups of traces with the same session id. */
function Sessions() {
  const { projectId } = useParams({ from })
  const viewText = JSON.stringify(viewOf(useSearch({ from })))
  const view = useMemo(() => JSON.parse(viewText) as ReturnType<typeof viewOf>, [viewText])
  const navigate = useNavigate({ from: '/projects/$projectId/sessions' })
  const list = useInfiniteQuery(sessionsQuery(projectId, view))
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = list
  const rows = useMemo(() => data?.pages.flatMap(({ sessions }) => sessions), [data])
  const readMore = useCallback(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage()
  }, [hasNextPage, isFetching, error, fetchNextPage])
  const refused = error instanceof CairnApiError && error.status === 400 && !rows
  return (
    <Page
      title="Sessions"
      fill
      bar={
        <TraceBar
          projectId={projectId}
          view={view}
          refusal={refused ? error : undefined}
          onRefresh={() => void refetch()}
          onChange={(next, isTyping = false) => navigate({ search: next, replace: isTyping })}
        />
      }
    >
      {!refused && (
        <QueryTable
          query={{ data: rows, error: rows ? null : error, refetch }}
          key={viewText}
          name="sessions"
          label="Sessions"
          columns={columns}
          rowKey={keyOf}
          onOpen={({ session_id: sessionId }) =>
            navigate({ to: '/projects/$projectId/sessions/$sessionId', params: { projectId, sessionId } })
          }
          onEnd={readMore}
          footer={<ListFooter list={list} count={rows?.length ?? 0} noun="session" />}
          skeletonRows={20}
          empty={<NoSessions filtered={viewText !== '{}'} />}
        />
      )}
    </Page>
  )
}

function NoSessions({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState title="No session has a trace that matches these filters">
        <p>Remove a filter above, or choose a longer period.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No sessions yet">
      <p>
        Traces with the same <code>session_id</code> are the turns of one session, shown here as a
        conversation. Send the id with each trace; questions to a chat accept it too.
      </p>
    </EmptyState>
  )
}
