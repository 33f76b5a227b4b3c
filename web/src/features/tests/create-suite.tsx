import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { suitesQuery } from './queries.ts'
import { SuiteFields, suiteDraftOf, suiteOf } from './suite-fields.tsx'

/** Asks what a new suite is, and leads into it. */
export function CreateSuite({
  projectId,
  open,
  onClose,
}: {
  projectId: string
  open: boolean
  onClose: () => void
}) {
  const [draft, setDraft] = useState(suiteDraftOf)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () => client.testing.suites.create(projectId, suiteOf(draft)),
    onSuccess: async ({ suite_id: suiteId }) => {
      await queryClient.invalidateQueries({ queryKey: suitesQuery(projectId).queryKey })
      await navigate({ to: '/projects/$projectId/tests/$suiteId', params: { projectId, suiteId } })
    },
  })
  return (
    <Dialog title="New suite" open={open} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <SuiteFields projectId={projectId} draft={draft} onChange={setDraft} />
        {create.error && <ErrorNotice error={create.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            disabled={draft.name.trim() === ''}
            busy={create.isPending && 'Creating…'}
          >
            Create suite
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
