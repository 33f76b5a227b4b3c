import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { projectsQuery } from '../../shared/queries/projects.ts'
import { Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { messageOf } from '../../ui/states/error-notice.tsx'

/** The dialog that creates a project and opens it. */
export function CreateProject({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [name, setName] = useState('')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () => client.console.projects.create({ name: name.trim() }),
    onSuccess: async ({ project_id: projectId }) => {
      await queryClient.invalidateQueries(projectsQuery)
      onClose()
      await navigate({ to: '/projects/$projectId', params: { projectId } })
    },
  })
  return (
    <FormDialog
      title="New project"
      description="A project holds traces, tests, versions and chats."
      open={open}
      onClose={onClose}
      sending={create}
      error={null}
      action="Create project"
      busy="Creating…"
      disabled={name.trim() === ''}
    >
      <Field label="Name" error={create.error ? messageOf(create.error) : undefined}>
        {(ids) => (
          <Input
            {...ids}
            value={name}
            required
            maxLength={200}
            onChange={(event) => setName(event.target.value)}
            placeholder="Support assistant"
          />
        )}
      </Field>
    </FormDialog>
  )
}
