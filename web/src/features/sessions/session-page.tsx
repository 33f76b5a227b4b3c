import { useInfiniteQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Button } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import {
  costSumText,
  formatCompact,
  formatDuration,
  formatTime,
  plural,
  unpricedText,
} from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { Skeleton, SkeletonBlock } from '../../ui/states/skeleton.tsx'
import { TracePanel } from '../traces/index.ts'
import { sessionQuery } from './queries.ts'
import { Turn } from './turn.tsx'

const from = '/signed-in/projects/$projectId/sessions/$sessionId'
export const SessionPage = createLazyRoute(from)({ component: SessionScreen })

/** The screen of a session: its turns as a conversation, each with a link to its trace. */
function SessionScreen() {
  const { projectId, sessionId } = useParams({ from })
  const { trace, span } = useSearch({ from })
  const navigate = useNavigate({ from: '/projects/$projectId/sessions/$sessionId' })
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    sessionQuery(projectId, sessionId),
  )
  const session = data?.pages[0]?.session
  return (
    <Page
      title={sessionId}
      fill
      above={
        <Link to="/projects/$projectId/sessions" params={{ projectId }}>
          Sessions
        </Link>
      }
    >
      <div className="min-w-0 flex-1 overflow-auto p-4">
        <div className="mx-auto flex max-w-3xl flex-col gap-5">
          {session ? (
            <ul
              aria-label="The session"
              className="flex flex-wrap items-center gap-x-4 gap-y-1 text-fg-2 tabular-nums"
            >
              <li>{plural(session.trace_count, 'trace')}</li>
              <li>{plural(session.error_count, 'error')}</li>
              <li>{formatCompact(session.total_tokens)} tokens</li>
              <li>{costSumText(session.total_cost, session.unpriced_count, session.trace_count)}</li>
              {session.unpriced_count > 0 && session.unpriced_count < session.trace_count && (
                <li>{unpricedText(session.unpriced_count)}</li>
              )}
              <li>{formatDuration(session.avg_latency_ms)} on average</li>
              <li>
                {formatTime(session.first_trace_at)} to {formatTime(session.last_trace_at)}
              </li>
              {session.user_id !== null && (
                <li className="flex items-center gap-1">
                  User <CopyId id={session.user_id} />
                </li>
              )}
            </ul>
          ) : (
            !error && <TurnSkeletons />
          )}
          <ol aria-label="Turns" className="flex flex-col gap-6">
            {data?.pages.flatMap(({ session: { traces } }) =>
              traces.map((turn) => (
                <Turn
                  key={turn.trace_id}
                  turn={turn}
                  selected={turn.trace_id === trace}
                  onOpen={() => navigate({ search: { trace: turn.trace_id }, replace: trace !== undefined })}
                />
              )),
            )}
          </ol>
          {error && <ErrorNotice error={error} title="The session could not be loaded" retry={refetch} />}
          {hasNextPage && (
            <Button
              className="self-center"
              busy={isFetchingNextPage && 'Loading…'}
              onClick={() => void fetchNextPage()}
            >
              Later turns
            </Button>
          )}
        </div>
      </div>
      {trace !== undefined && (
        <TracePanel
          key={trace}
          projectId={projectId}
          traceId={trace}
          span={span}
          onSpan={(next) => navigate({ search: { trace, span: next }, replace: true })}
          onClose={() => navigate({ search: {} })}
        />
      )}
    </Page>
  )
}

function TurnSkeletons() {
  return (
    <SkeletonBlock name="the session" className="flex flex-col gap-6">
      {['first', 'second', 'third'].map((name) => (
        <div key={name} className="flex flex-col gap-3">
          <Skeleton className="ml-auto h-12 w-2/3" />
          <Skeleton className="h-20 w-5/6" />
        </div>
      ))}
    </SkeletonBlock>
  )
}
