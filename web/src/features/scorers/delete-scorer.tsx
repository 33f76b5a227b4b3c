import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import { rulesQuery, scorersQuery } from '../../shared/queries/scorers.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { plural } from '../../ui/format.ts'

/** Asks before a scorer is deleted, and lists the rules that use it. */
export function DeleteScorer({
  projectId,
  slug,
  onClose,
  onDeleted,
}: {
  projectId: string
  slug: string
  onClose: () => void
  onDeleted: () => void
}) {
  const queryClient = useQueryClient()
  const { data: rules = [] } = useQuery(rulesQuery(projectId))
  const using = rules.filter(({ scorer }) => scorer === slug)
  return (
    <ConfirmDialog
      title="Delete this scorer?"
      consequences={
        <>
          <p>Test cases can no longer use “{slug}” either. Its scores are kept.</p>
          {using.length > 0 && (
            <p className="mt-2">
              {plural(using.length, 'rule')} would fail without it: {using.map(({ name }) => name).join(', ')}
              .
            </p>
          )}
        </>
      }
      action="Delete scorer"
      open
      onClose={onClose}
      onConfirm={async () => {
        await client.scorers.delete(projectId, slug)
        onDeleted()
        await queryClient.invalidateQueries(scorersQuery(projectId))
      }}
    />
  )
}
