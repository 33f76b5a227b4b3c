import { lastAsked } from '@cairn/contract/conversations'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { tracesLink } from '../../shared/traces-link.ts'
import { formatDuration } from '../../ui/format.ts'
import { QueryState } from '../../ui/states/query-state.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { OverviewSection } from './overview-section.tsx'
import { newestErrorsQuery } from './queries.ts'

/** The newest failed traces. */
export function NewestErrors({ projectId }: { projectId: string }) {
  const { data: traces, error, refetch } = useQuery(newestErrorsQuery(projectId))
  return (
    <OverviewSection
      title="Newest errors"
      more={
        <Link {...tracesLink(projectId, { status: 'error' })} className="link">
          All errors
        </Link>
      }
    >
      <QueryState
        query={{ data: traces, error, refetch }}
        name="the errors"
        rows={5}
        empty={
          <p className="border-t py-3 text-fg-2">
            <StatusBadge kind="success">No trace has failed</StatusBadge>
          </p>
        }
      >
        {(traces) => (
          <ul className="border-t">
            {traces.map(({ trace_id, input, error: reason, model, latency_ms, created_at }) => (
              <li key={trace_id} className="border-b">
                <Link
                  to={`/projects/${projectId}/traces/${trace_id}` as string}
                  className="flex flex-col gap-0.5 py-1.5 hover:bg-hover"
                >
                  <span className="flex items-center gap-2">
                    <StatusBadge kind="error">
                      <span className="sr-only">Error</span>
                    </StatusBadge>
                    <span className="min-w-0 flex-1 truncate" title={reason ?? undefined}>
                      {reason ?? 'No message'}
                    </span>
                    <span className="text-fg-3">
                      <Ago at={created_at} />
                    </span>
                  </span>
                  <span className="flex gap-2 pl-[22px] text-sm text-fg-3">
                    <span className="min-w-0 flex-1 truncate">{lastAsked(input)}</span>
                    <span className="whitespace-nowrap">
                      {model} {formatDuration(latency_ms)}
                    </span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </OverviewSection>
  )
}
