import { Link } from '@tanstack/react-router'
import { formatCount, plural } from '../../ui/format.ts'
import { Progress } from '../../ui/progress.tsx'
import { useSharedState } from '../../ui/shared-state.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { type ExportState, exportState } from './export-state.ts'

/** The progress or failure of the current export, shown on every screen as a link to its screen. */
export function ExportNotice() {
  const state = useSharedState(exportState)
  if (state?.status !== 'running' && state?.status !== 'failed') return null
  const { projectId, search, status } = state
  return (
    <Link
      to="/projects/$projectId/analytics"
      params={{ projectId }}
      search={search}
      className="flex flex-col gap-1 rounded-md border px-2 py-1.5 hover:bg-hover"
    >
      {status === 'failed' ? <StatusBadge kind="error">Export failed</StatusBadge> : <Running {...state} />}
    </Link>
  )
}

function Running({ rows, total }: ExportState) {
  return (
    <>
      <span className="text-sm tabular-nums">
        Exporting,{' '}
        {total === undefined ? plural(rows, 'row') : `${formatCount(rows)} of ${plural(total, 'row')}`}
      </span>
      <Progress label="Export" done={rows} total={total ?? null} />
    </>
  )
}
