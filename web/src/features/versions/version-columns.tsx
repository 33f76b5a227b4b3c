import type { BreakdownGroup, Run, VersionSummary } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Column } from '../../ui/data-table.tsx'
import {
  formatCompact,
  formatDuration,
  formatMoney,
  formatScore,
  formatShare,
  none,
} from '../../ui/format.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { versionScoresQuery } from './queries.ts'

export interface VersionRow extends VersionSummary {
  /** Undefined while loading, null without traces. */
  figures: BreakdownGroup | null | undefined
  run: Run | undefined
}

export function versionColumns(projectId: string): readonly Column<VersionRow>[] {
  return [
    {
      id: 'version',
      title: 'Version',
      width: 180,
      cell: ({ version, version_id: versionId, is_active }) => (
        <span className="flex items-center gap-3">
          <Link
            to="/projects/$projectId/versions/$versionId"
            params={{ projectId, versionId }}
            className="truncate font-medium"
            title={version}
            tabIndex={-1}
          >
            {version}
          </Link>
          {is_active && <StatusBadge kind="success">Active</StatusBadge>}
        </span>
      ),
    },
    {
      id: 'description',
      title: 'Description',
      width: 240,
      grow: true,
      cell: ({ description }) => (
        <span title={description ?? undefined} className="text-fg-2">
          {description ?? none}
        </span>
      ),
    },
    {
      id: 'traces',
      title: 'Traces',
      width: 88,
      align: 'right',
      cell: ({ figures }) => formatCompact(figures?.traces),
    },
    {
      id: 'errors',
      title: 'Errors',
      width: 80,
      align: 'right',
      cell: ({ figures }) => formatShare(figures?.error_rate),
    },
    {
      id: 'p95',
      title: 'p95',
      width: 88,
      align: 'right',
      cell: ({ figures }) => formatDuration(figures?.p95_latency_ms || null),
    },
    {
      id: 'cost',
      title: 'Cost per trace',
      width: 116,
      align: 'right',
      cell: ({ figures }) => formatMoney(figures?.avg_cost || null),
    },
    {
      id: 'pass-rate',
      title: 'Last run passed',
      width: 120,
      align: 'right',
      cell: ({ run }) => formatShare(run?.pass_rate),
    },
    {
      id: 'scores',
      title: 'Scores',
      width: 220,
      cell: ({ version, figures }) => figures && <Scores projectId={projectId} version={version} />,
    },
    { id: 'created', title: 'Published', width: 110, cell: ({ created_at }) => <Ago at={created_at} /> },
  ]
}

/** Average scores by name, loaded only for visible rows. */
function Scores({ projectId, version }: { projectId: string; version: string }) {
  const { data } = useQuery({ ...versionScoresQuery(projectId, version), staleTime: 60_000 })
  if (!data) return null
  const text = [...data].map(([name, { mean }]) => `${name} ${formatScore(mean)}`).join(', ')
  return (
    <span title={text} className="tabular-nums">
      {text || none}
    </span>
  )
}
