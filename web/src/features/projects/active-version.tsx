import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { versionQuery, versionsQuery } from '../../shared/queries/versions.ts'
import { formatDuration, formatMoney, plural } from '../../ui/format.ts'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { OverviewSection } from './overview-section.tsx'

/** The active version of the project with its figures. */
export function ActiveVersion({ projectId }: { projectId: string }) {
  const { data: versions, error, refetch } = useQuery(versionsQuery(projectId))
  const active = versions?.find(({ is_active }) => is_active)
  return (
    <OverviewSection
      title="Active version"
      more={
        <Link
          to="/projects/$projectId/versions"
          params={{ projectId }}
          search={{ tab: undefined }}
          className="link"
        >
          {versions && versions.length > 0 ? `All ${plural(versions.length, 'version')}` : 'Versions'}
        </Link>
      }
    >
      <QueryState
        query={{ data: versions, error, refetch }}
        name="the versions"
        skeleton={<Skeleton className="h-10 w-full" />}
      >
        {() =>
          active ? (
            <Numbers projectId={projectId} versionId={active.version_id} />
          ) : (
            <p className="border-t py-3 text-fg-2">
              None yet. A version is a model with its prompt and settings. Versions can be compared and rolled
              back to.
            </p>
          )
        }
      </QueryState>
    </OverviewSection>
  )
}

function Numbers({ projectId, versionId }: { projectId: string; versionId: string }) {
  const { data } = useQuery(versionQuery(projectId, versionId))
  if (!data) return <Skeleton className="h-10 w-full" />
  return (
    <Link
      to="/projects/$projectId/versions/$versionId"
      params={{ projectId, versionId }}
      className="flex flex-col gap-0.5 border-y py-1.5 hover:bg-hover"
    >
      <span className="flex items-center gap-3">
        <span className="truncate font-medium">{data.version}</span>
        <StatusBadge kind="success">Active</StatusBadge>
        <span className="ml-auto text-fg-3">
          <Ago at={data.created_at} />
        </span>
      </span>
      <span className="truncate text-sm text-fg-3">
        {[data.config?.model, data.description].filter(Boolean).join(' · ')}
      </span>
      <span className="text-sm text-fg-2 tabular-nums">
        {plural(data.trace_count, 'trace')}, {formatDuration(data.avg_latency_ms || null)} and{' '}
        {formatMoney(data.avg_cost || null)} on average
      </span>
    </Link>
  )
}
