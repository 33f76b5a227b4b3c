import type { CreateWebhook, EventType, Webhook } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { eventMeanings, webhookTypes } from './event-types.ts'
import { webhooksQuery } from './queries.ts'

const api = client.console.webhooks

/** The dialog that creates or changes a webhook. The secret of a new webhook is shown only once. */
export function WebhookForm({
  projectId,
  stored,
  onClose,
  onShow,
}: {
  projectId: string
  /** The webhook to change; undefined for a new one. */
  stored?: Webhook
  onClose: () => void
  onShow?: (webhookId: string) => void
}) {
  const [url, setUrl] = useState(stored?.url ?? '')
  const [description, setDescription] = useState(stored?.description ?? '')
  const [all, setAll] = useState(stored ? stored.event_types.includes('*') : true)
  const [types, setTypes] = useState<readonly EventType[]>(
    webhookTypes.filter((type) => stored?.event_types.includes(type as never)),
  )
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: async () => {
      const content: CreateWebhook = {
        url: url.trim(),
        description,
        event_types: all ? ['*'] : ([...types] as Webhook['event_types']),
      }
      if (!stored) return api.create(projectId, content)
      await api.update(stored.webhook_id, content)
      return undefined
    },
    onSuccess: async (created) => {
      await queryClient.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey })
      if (!created) onClose()
    },
  })
  if (save.data) {
    const { secret, webhook_id: webhookId } = save.data
    return (
      <Dialog title="Webhook created" open onClose={onClose}>
        <SecretOnce what="secret" secret={secret} />
        <p className="text-fg-2">
          Each delivery is signed with this secret (Standard Webhooks). Verify the signature of every call.
        </p>
        <DialogActions>
          <Button
            variant="primary"
            onClick={() => {
              onClose()
              onShow?.(webhookId)
            }}
          >
            I have copied it
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={stored ? 'Change the webhook' : 'New webhook'}
      onClose={onClose}
      sending={save}
      failed="The webhook was not saved"
      action={stored ? 'Save' : 'Create webhook'}
      busy="Saving…"
      disabled={!all && types.length === 0}
    >
      <Field label="Address" hint="An https URL with a public address">
        {(ids) => (
          <Input
            {...ids}
            required
            value={url}
            placeholder="https://hooks.example/cairn"
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <Field label="Description">
        {(ids) => (
          <Input
            {...ids}
            maxLength={500}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        )}
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">Events</legend>
        <Checkbox checked={all} onChange={(event) => setAll(event.target.checked)}>
          All types, including future ones
        </Checkbox>
        {!all &&
          webhookTypes.map((type) => (
            <Checkbox
              key={type}
              checked={types.includes(type)}
              onChange={(event) =>
                setTypes(event.target.checked ? [...types, type] : types.filter((one) => one !== type))
              }
            >
              <code>{type}</code>
              <span className="block text-fg-2">{eventMeanings[type]}</span>
            </Checkbox>
          ))}
      </fieldset>
    </FormDialog>
  )
}
