import type { ServerLimit, ServerQueue } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { formatBytes, formatCount } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { statusQuery } from './queries.ts'

const queueColumns: readonly PlainColumn<ServerQueue>[] = [
  { id: 'name', title: 'Queue', cell: ({ name }) => queueTitle(name) },
  { id: 'running', title: 'Running', align: 'right', cell: ({ running }) => formatCount(running) },
  { id: 'waiting', title: 'Waiting', align: 'right', cell: ({ waiting }) => formatCount(waiting) },
  { id: 'projects', title: 'Projects', align: 'right', cell: ({ projects }) => formatCount(projects) },
  { id: 'refused', title: 'Refused', align: 'right', cell: ({ refused }) => formatCount(refused) },
]

const limitColumns: readonly PlainColumn<ServerLimit>[] = [
  {
    id: 'limit',
    title: 'Limit',
    wrap: true,
    // Stacked, since both do not fit side by side on a phone.
    cell: ({ setting, meaning }) => (
      <span className="flex flex-col">
        {meaning}
        <code className="text-fg-2">{setting}</code>
      </span>
    ),
  },
  { id: 'value', title: 'Value', align: 'right', cell: limitValue },
]

/** `jsonBodies` → `Json bodies`. */
function queueTitle(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Formats a limit by the unit at the end of its name. */
function limitValue({ setting, value }: ServerLimit): string {
  if (setting.endsWith('_BYTES')) return formatBytes(value)
  if (setting.endsWith('_SECONDS')) return `${formatCount(value)} s`
  return formatCount(value)
}

/** The queues that projects share, and the limits that protect projects from one another. */
export function Load() {
  const { data: status, error, refetch } = useQuery(statusQuery)
  return (
    <QueryState query={{ data: status, error, refetch }} name="the queues and limits" rows={6}>
      {(status) => {
        const { queues, limits } = status
        return (
          <>
            <Section
              title="Queues"
              note="Projects take turns in each queue. Refused counts rejected requests since the server started."
            >
              {queues.length > 0 ? (
                <div className="max-w-4xl">
                  <PlainTable
                    label="Queues"
                    columns={queueColumns}
                    rows={queues}
                    rowKey={({ name }) => name}
                  />
                </div>
              ) : (
                <p className="text-fg-2">No queues.</p>
              )}
            </Section>
            <Section
              title="Limits"
              note="Limits keep one project from slowing down others. Each is an environment variable, read at start."
            >
              <div className="max-w-4xl">
                <PlainTable
                  label="Limits"
                  columns={limitColumns}
                  rows={limits}
                  rowKey={({ setting }) => setting}
                />
              </div>
            </Section>
          </>
        )
      }}
    </QueryState>
  )
}
