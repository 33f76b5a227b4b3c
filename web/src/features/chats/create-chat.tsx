import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { chatsQuery } from '../../shared/queries/chats.ts'
import { Checkbox, Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { messageOf } from '../../ui/states/error-notice.tsx'

/** The dialog that creates a chat and opens its files. */
export function CreateChat({
  projectId,
  open,
  onClose,
}: {
  projectId: string
  open: boolean
  onClose: () => void
}) {
  const [title, setTitle] = useState('')
  const [publish, setPublish] = useState(true)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () => client.console.chats.create(projectId, { title: title.trim(), publish }),
    onSuccess: async ({ chat_id: chatId }) => {
      await queryClient.invalidateQueries(chatsQuery(projectId))
      onClose()
      setTitle('')
      await navigate({ to: '/projects/$projectId/chats/$chatId/files', params: { projectId, chatId } })
    },
  })
  return (
    <FormDialog
      title="New chat"
      description="A chat has documents of its own and answers questions about them."
      open={open}
      onClose={onClose}
      sending={create}
      error={null}
      action="Create chat"
      busy="Creating…"
      disabled={title.trim() === ''}
    >
      <Field label="Title" error={create.error ? messageOf(create.error) : undefined}>
        {(ids) => (
          <Input
            {...ids}
            value={title}
            required
            maxLength={200}
            onChange={(event) => setTitle(event.target.value)}
            placeholder="Staff handbook"
          />
        )}
      </Field>
      <Checkbox checked={publish} onChange={(event) => setPublish(event.target.checked)}>
        Publish the default settings, so that keys can ask at once
      </Checkbox>
    </FormDialog>
  )
}
