import type { VersionActivation } from '@cairn/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { RotateCcw, Upload } from 'lucide-react'
import { useReadMore } from '../../shared/use-read-more.ts'
import type { Column } from '../../ui/data-table.tsx'
import { formatTime } from '../../ui/format.ts'
import { QueryTable } from '../../ui/query-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Ago } from '../../ui/time.tsx'
import { historyQuery } from './queries.ts'

function columnsOf(projectId: string): readonly Column<VersionActivation>[] {
  return [
    { id: 'when', title: 'When', width: 120, cell: ({ activated_at }) => <Ago at={activated_at} /> },
    {
      id: 'action',
      title: 'Action',
      width: 140,
      cell: ({ action }) => {
        const Icon = action === 'publish' ? Upload : RotateCcw
        return (
          <span className="inline-flex items-center gap-1.5 align-middle">
            <Icon size={14} aria-hidden="true" className="text-fg-3" />
            {action === 'publish' ? 'Published' : 'Rolled back to'}
          </span>
        )
      },
    },
    {
      id: 'version',
      title: 'Version',
      width: 200,
      cell: ({ version, version_id: versionId }) => (
        <Link
          to="/projects/$projectId/versions/$versionId"
          params={{ projectId, versionId }}
          className="font-medium"
          tabIndex={-1}
        >
          {version}
        </Link>
      ),
    },
    {
      id: 'time',
      title: 'Time',
      width: 240,
      grow: true,
      cell: ({ activated_at }) => <span className="tabular-nums text-fg-2">{formatTime(activated_at)}</span>,
    },
  ]
}

/** The activations of versions, newest first. */
export function ActivationHistory({ projectId }: { projectId: string }) {
  const list = useInfiniteQuery(historyQuery(projectId))
  const { data, error, refetch, hasNextPage } = list
  const readMore = useReadMore(list)
  const navigate = useNavigate()
  const rows = data?.pages.flatMap(({ activations }) => activations)
  return (
    <QueryTable
      query={{ data: rows, error, refetch }}
      name="activations"
      label="Activations"
      columns={columnsOf(projectId)}
      rowKey={({ activation_id }) => activation_id}
      onOpen={({ version_id: versionId }) =>
        navigate({ to: '/projects/$projectId/versions/$versionId', params: { projectId, versionId } })
      }
      onEnd={readMore}
      footer={hasNextPage ? !error && 'Loading more…' : 'All activations are shown.'}
      empty={
        <EmptyState title="No activations yet">
          Publications and rollbacks of versions are listed here.
        </EmptyState>
      }
    />
  )
}
