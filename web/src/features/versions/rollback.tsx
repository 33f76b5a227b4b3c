import type { VersionSummary } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import { versionsKey } from '../../shared/queries/versions.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { MeasuresTable, Verdict } from './measures-table.tsx'
import { useComparison } from './use-comparison.ts'

/** Asks before a rollback, and compares the version with the active one. */
export function Rollback({
  projectId,
  active,
  target,
  open,
  onClose,
}: {
  projectId: string
  active: Pick<VersionSummary, 'version_id' | 'version'>
  target: Pick<VersionSummary, 'version_id' | 'version'>
  open: boolean
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      title={`Roll back to ${target.version}`}
      action={`Roll back to ${target.version}`}
      open={open}
      onClose={onClose}
      onConfirm={async () => {
        await client.versions.rollback(projectId, target.version_id)
        await queryClient.invalidateQueries({ queryKey: versionsKey(projectId) })
      }}
      consequences={
        <div className="flex flex-col gap-3 text-fg">
          <p>
            {target.version} replaces {active.version} as the active version. {active.version} is kept, and
            you can roll back to it in the same way.
          </p>
          {open && <Evidence projectId={projectId} a={active.version_id} b={target.version_id} />}
        </div>
      }
    />
  )
}

function Evidence({ projectId, a, b }: { projectId: string; a: string; b: string }) {
  const { comparison, measures, error, retry } = useComparison(projectId, a, b)
  const both = comparison && measures && { comparison, measures }
  return (
    <QueryState query={{ data: both, error, refetch: retry }} name="the comparison" rows={6}>
      {({ comparison, measures }) => (
        <>
          <Verdict comparison={comparison} measures={measures} />
          <MeasuresTable comparison={comparison} measures={measures} />
        </>
      )}
    </QueryState>
  )
}
