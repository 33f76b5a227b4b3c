import type { ServerStatus } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Facts } from '../../ui/facts.tsx'
import { formatBytes, formatCount, plural } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { statusQuery } from './queries.ts'

/** Start, restarts and memory of the server process. */
export function ProcessFacts() {
  const { data: status, error, refetch } = useQuery(statusQuery)
  return (
    <Section title="Process">
      <QueryState query={{ data: status, error, refetch }} name="the state of the process" rows={2}>
        {(status) => (
          <>
            {status.supervisor?.last && <LastDeath {...status.supervisor} last={status.supervisor.last} />}
            <Facts
              facts={[
                { name: 'Version', value: status.version },
                { name: 'Started', value: <Ago at={status.started_at} /> },
                {
                  name: 'Restarts',
                  value: status.supervisor ? formatCount(status.supervisor.restarts) : 'No supervisor',
                },
                { name: 'Memory', value: <Memory {...status.memory} /> },
                { name: 'Search indexes', value: formatBytes(status.memory.index_bytes) },
                { name: 'Heavy requests', value: formatCount(status.memory.heavy_requests) },
                { name: 'Refused for memory', value: formatCount(status.memory.refused) },
              ]}
            />
          </>
        )}
      </QueryState>
    </Section>
  )
}

type Restarts = NonNullable<ServerStatus['supervisor']>

function LastDeath({ restarts, last }: { restarts: number; last: NonNullable<Restarts['last']> }) {
  const reason = last.signal ? `by ${last.signal}` : `with exit code ${last.code}`
  return (
    <p className="flex max-w-prose flex-wrap items-center gap-x-2">
      <StatusBadge kind="warning">Restarted {plural(restarts, 'time')}</StatusBadge>
      <span>
        The last process ended {reason}, <Ago at={last.at} />. See the log of the server.
      </span>
    </p>
  )
}

function Memory({ resident_bytes: resident, budget_bytes: budget }: ServerStatus['memory']) {
  const text = `${formatBytes(resident)} of ${formatBytes(budget)}`
  return (
    <span className="inline-flex items-center gap-2">
      {resident > budget ? <StatusBadge kind="warning">{text}</StatusBadge> : text}
      <Progress label="Used memory" done={resident} total={budget} className="w-20" />
    </span>
  )
}
