import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { suitesQuery } from './queries.ts'
import { SuiteFields, suiteDraftOf, suiteOf } from './suite-fields.tsx'

/** The dialog that creates a suite and opens it. */
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
    <FormDialog
      title="New suite"
      open={open}
      onClose={onClose}
      sending={create}
      action="Create suite"
      busy="Creating…"
      disabled={draft.name.trim() === ''}
    >
      <SuiteFields projectId={projectId} draft={draft} onChange={setDraft} />
    </FormDialog>
  )
}
