import type { Webhook } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx'
import { EmptyNote } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Chip } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { eventMeanings } from './event-types.ts'
import { webhooksQuery } from './queries.ts'
import { WebhookDetail } from './webhook-detail.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookState } from './webhook-state.tsx'

const columnsOf = (projectId: string): readonly PlainColumn<Webhook>[] => [
  {
    id: 'url',
    title: 'Address',
    wrap: true,
    cell: ({ url, webhook_id: open }) => (
      <Link
        to="/projects/$projectId/settings/$section"
        params={{ projectId, section: 'webhooks' }}
        search={{ open }}
        className="link break-all"
      >
        {url}
      </Link>
    ),
  },
  {
    id: 'types',
    title: 'Events',
    cell: ({ event_types: types }) => (
      <span className="flex max-w-80 flex-wrap gap-1">
        {types.map((type) => (
          <Chip key={type} title={type === '*' ? 'All types, including future ones' : eventMeanings[type]}>
            {type === '*' ? 'all' : type}
          </Chip>
        ))}
      </span>
    ),
  },
  { id: 'state', title: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
  { id: 'created', title: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
]

/** The webhooks of a project, or the one webhook that the address names. */
export default function Webhooks({ projectId }: { projectId: string }) {
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery(projectId))
  const { open } = useSearch({ from: '/signed-in/projects/$projectId/settings/$section' })
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const show = (webhookId: string | undefined) =>
    navigate({
      to: '/projects/$projectId/settings/$section',
      params: { projectId, section: 'webhooks' },
      search: { open: webhookId },
    })
  return (
    <QueryState query={{ data: webhooks, error, refetch }} name="the webhooks" rows={3}>
      {(webhooks) => {
        const shown = webhooks.find(({ webhook_id }) => webhook_id === open)
        if (shown) {
          return (
            <WebhookDetail
              key={shown.webhook_id}
              projectId={projectId}
              webhook={shown}
              onBack={() => show(undefined)}
            />
          )
        }
        return (
          <Section
            title="Webhooks"
            note="The server sends each event, signed, to the subscribed addresses. It retries failed deliveries, with growing pauses."
            actions={
              <Button variant="primary" onClick={() => setCreating(true)}>
                New webhook
              </Button>
            }
          >
            {webhooks.length === 0 ? (
              <EmptyNote>
                No webhooks yet. A webhook tells your server about uploaded and deleted files, versions, ended
                test runs and used-up budgets. The tab Events lists earlier events.
              </EmptyNote>
            ) : (
              <PlainTable
                label="Webhooks"
                columns={columnsOf(projectId)}
                rows={webhooks}
                rowKey={({ webhook_id }) => webhook_id}
              />
            )}
            {creating && (
              <WebhookForm
                projectId={projectId}
                onClose={() => setCreating(false)}
                onShow={(webhookId) => show(webhookId)}
              />
            )}
          </Section>
        )
      }}
    </QueryState>
  )
}
