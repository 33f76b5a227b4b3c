import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import { rulesQuery, scorersQuery } from '../../shared/queries/scorers.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { plural } from '../../ui/format.ts'

/** Deletes a judge of the project, after it was said who judges with it. */
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
      title="Delete this judge?"
      what={
        <>
          <p>“{slug}” judges no more, in test cases neither; the scores that it gave stay.</p>
          {using.length > 0 && (
            <p className="mt-2">
              {plural(using.length, 'rule')} would fail for want of it:{' '}
              {using.map(({ name }) => name).join(', ')}.
            </p>
          )}
        </>
      }
      action="Delete judge"
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
