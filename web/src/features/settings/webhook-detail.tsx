import type { Webhook, WebhookWithSecret } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import { ConfirmDialog, Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { formatTime } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { Deliveries } from './deliveries.tsx'
import { deliveriesQuery, webhooksQuery } from './queries.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookState } from './webhook-state.tsx'

const api = client.console.webhooks

/** One webhook: its state, deliveries and actions. */
export function WebhookDetail({
  projectId,
  webhook,
  onBack,
}: {
  projectId: string
  webhook: Webhook
  onBack: () => void
}) {
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete'>()
  const [rotated, setRotated] = useState<WebhookWithSecret>()
  const queryClient = useQueryClient()
  const { webhook_id: webhookId } = webhook
  const again = () => queryClient.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey })
  const toggle = useMutation({
    mutationFn: () => api.update(webhookId, { enabled: !webhook.enabled }),
    onSuccess: again,
  })
  const test = useMutation({
    mutationFn: () => api.test(webhookId),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: deliveriesQuery(webhookId).queryKey }),
  })
  const close = () => setOpen(undefined)
  return (
    <>
      <Section
        title={webhook.description || 'Webhook'}
        actions={<Button onClick={onBack}>All webhooks</Button>}
      >
        <p className="break-all">
          <code>{webhook.url}</code>
        </p>
        <Facts
          facts={[
            { name: 'State', value: <WebhookState webhook={webhook} /> },
            {
              name: 'Events',
              value: webhook.event_types.includes('*') ? 'all' : webhook.event_types.join(', '),
            },
            { name: 'Id', value: <CopyId id={webhookId} /> },
            ...(webhook.previous_secret_until
              ? [{ name: 'Old secret valid until', value: formatTime(webhook.previous_secret_until) }]
              : []),
          ]}
        />
        {webhook.disabled_reason && (
          <ErrorNotice
            error={new Error(webhook.disabled_reason)}
            title="The server has switched the webhook off"
          />
        )}
        {(toggle.error ?? test.error) && <ErrorNotice error={toggle.error ?? test.error} />}
        <div className="flex flex-wrap gap-2">
          <Button busy={test.isPending && 'Sending…'} onClick={() => test.mutate()}>
            Send a test
          </Button>
          <Button busy={toggle.isPending && 'Switching…'} onClick={() => toggle.mutate()}>
            {webhook.enabled ? 'Switch off' : 'Switch on'}
          </Button>
          <Button onClick={() => setOpen('edit')}>Change…</Button>
          <Button onClick={() => setOpen('rotate')}>New secret…</Button>
          <Button variant="danger" onClick={() => setOpen('delete')}>
            Delete…
          </Button>
        </div>
      </Section>
      <Deliveries webhookId={webhookId} />
      {open === 'edit' && <WebhookForm projectId={projectId} stored={webhook} onClose={close} />}
      <ConfirmDialog
        title="Create a new secret?"
        consequences="New deliveries are signed with the new secret. For 24 hours they are signed with the old secret too, so that receivers can switch."
        action="Create secret"
        open={open === 'rotate'}
        onClose={close}
        onConfirm={async () => {
          setRotated(await api.rotateSecret(webhookId))
          await again()
        }}
      />
      <ConfirmDialog
        title="Delete the webhook?"
        consequences={`Events are no longer sent to ${webhook.url}, and its list of deliveries is deleted. The events stay in the log.`}
        action="Delete webhook"
        open={open === 'delete'}
        onClose={close}
        onConfirm={async () => {
          await api.delete(webhookId)
          onBack()
          await again()
        }}
      />
      {rotated && (
        <Dialog title="New secret" open onClose={() => setRotated(undefined)}>
          <SecretOnce what="secret" secret={rotated.secret} />
          <DialogActions>
            <Button variant="primary" onClick={() => setRotated(undefined)}>
              I have copied it
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}
