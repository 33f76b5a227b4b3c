import type { Event } from '@cairn/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { oneOf } from '../../shared/search-params.ts'
import { useReadMore } from '../../shared/use-read-more.ts'
import { CodeBlock, CopyId } from '../../ui/copy-button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Select } from '../../ui/field.tsx'
import { formatTime } from '../../ui/format.ts'
import { QueryTable } from '../../ui/query-table.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Ago } from '../../ui/time.tsx'
import { eventMeanings, eventTypes } from './event-types.ts'
import { eventsQuery } from './queries.ts'

const columns: readonly Column<Event>[] = [
  { id: 'at', title: 'When', width: 110, cell: ({ created_at }) => <Ago at={created_at} /> },
  { id: 'type', title: 'Event', width: 180, cell: ({ type }) => <code>{type}</code> },
  {
    id: 'meaning',
    title: 'Description',
    width: 320,
    cell: ({ type }) => eventMeanings[type] ?? type,
  },
  {
    id: 'data',
    title: 'Data',
    width: 320,
    grow: true,
    cell: ({ data }) => <code className="text-fg-2">{JSON.stringify(data)}</code>,
  },
]

/** The event log of a project. */
export default function Events({ projectId }: { projectId: string }) {
  const search = useSearch({ from: '/signed-in/projects/$projectId/settings/$section' })
  const type = oneOf(eventTypes, search.type)
  const list = useInfiniteQuery(eventsQuery(projectId, type))
  const { data, error, refetch } = list
  const readMore = useReadMore(list)
  const navigate = useNavigate()
  const events = data?.pages.flatMap((page) => page.events)
  const shown = events?.find(({ event_id }) => event_id === search.open)
  const go = (next: { type?: string | undefined; open?: string | undefined }) =>
    navigate({
      to: '/projects/$projectId/settings/$section',
      params: { projectId, section: 'events' },
      search: next,
    })
  return (
    <>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <div className="flex items-center gap-2 border-b px-4 py-1.5">
          <Select
            aria-label="Type of event"
            className="max-w-56"
            value={type ?? ''}
            onChange={(event) => go({ type: event.target.value || undefined })}
          >
            <option value="">All types</option>
            {eventTypes.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </Select>
        </div>
        <QueryTable
          query={{ data: events, error, refetch }}
          name="events"
          label="Events"
          columns={columns}
          rowKey={({ event_id }) => event_id}
          selected={search.open}
          onOpen={({ event_id }) => go({ type, open: event_id })}
          onEnd={readMore}
          empty={
            <EmptyState title={type ? `No ${type} yet` : 'No events yet'}>
              <p>
                Uploads, versions, finished test runs and used-up budgets are logged here and sent to
                subscribed webhooks.
              </p>
            </EmptyState>
          }
        />
      </div>
      {shown && (
        <SidePanel label={shown.type} onClose={() => go({ type })}>
          <div className="flex flex-col gap-4 p-4">
            <Facts
              facts={[
                { name: 'When', value: formatTime(shown.created_at) },
                { name: 'Id', value: <CopyId id={shown.event_id} /> },
              ]}
            />
            <p>{eventMeanings[shown.type]}</p>
            <CodeBlock code={JSON.stringify(shown.data, null, 2)} label="Data of the event" />
          </div>
        </SidePanel>
      )}
    </>
  )
}
