import type { Health } from '@cairn/sdk'
import clsx from 'clsx'
import { useEffect, useState } from 'react'
import { serverAddress } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { formatAgo, formatDuration } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { HealthState } from './use-health.ts'

/** The state of the server and its services as a table, with advice when something is wrong. */
export function HealthPanel({ answer, failure, checking, refresh }: HealthState & { refresh: () => void }) {
  return (
    <Section
      title="Health"
      actions={
        <>
          {answer && <Checked at={answer.at} />}
          <Button onClick={refresh}>Refresh</Button>
        </>
      }
    >
      {failure !== undefined && <Unreachable failure={failure} />}
      {failure === undefined && answer?.health.status === 'unhealthy' && <Unhealthy />}
      <table
        aria-label="Health"
        aria-busy={checking}
        className={clsx(
          'w-full max-w-4xl border-t text-left [&_td]:h-8 [&_td]:border-b [&_td]:pr-4 [&_th]:h-8 [&_th]:border-b [&_th]:pr-4 [&_th]:font-medium',
          failure !== undefined && 'text-fg-3',
        )}
      >
        <thead className="text-sm text-fg-2">
          <tr>
            <th scope="col">Service</th>
            <th scope="col">State</th>
            <th scope="col">Detail</th>
          </tr>
        </thead>
        <tbody>{rows(answer, failure !== undefined)}</tbody>
      </table>
    </Section>
  )
}

const problemClass = 'flex max-w-4xl flex-col gap-1 rounded-md border border-error bg-error-surface p-3'

type Answer = HealthState['answer']

function rows(answer: Answer, failed: boolean) {
  const health = answer?.health
  return (
    <>
      <tr>
        <th scope="row">Server</th>
        <td>
          {failed ? <StatusBadge kind="error">No response</StatusBadge> : <State value={health?.status} />}
        </td>
        <td>{answer && <ServerDetail answer={answer} failed={failed} />}</td>
      </tr>
      <tr>
        <th scope="row">Database</th>
        <td>{failed ? <Unknown /> : <State value={health?.services.database} />}</td>
        <td>{health && !failed && databaseDetail(health)}</td>
      </tr>
      {health?.services.redis && (
        <tr>
          <th scope="row">Redis</th>
          <td>{failed ? <Unknown /> : <State value={health.services.redis} />}</td>
          <td>{!failed && redisDetail(health)}</td>
        </tr>
      )}
      <tr>
        <th scope="row">Models</th>
        <td>
          {failed ? (
            <Unknown />
          ) : health ? (
            <StatusBadge kind="info">{modelState(health)}</StatusBadge>
          ) : (
            <Skeleton className="h-3 w-20" />
          )}
        </td>
        <td>{health && !failed && modelDetail(health)}</td>
      </tr>
    </>
  )
}

function ServerDetail({ answer, failed }: { answer: NonNullable<Answer>; failed: boolean }) {
  if (failed) return <>Version {answer.health.version} at its last response</>
  return (
    <>
      Version {answer.health.version}, responded in{' '}
      <span className="tabular-nums">{formatDuration(answer.tookMs)}</span>
    </>
  )
}

function databaseDetail({ services }: Health): string {
  return services.database === 'healthy' ? 'Responds to queries' : 'Does not respond'
}

/** Redis holds only counters of rate limits, so the server works without it. */
function redisDetail({ services }: Health): string {
  return services.redis === 'healthy'
    ? 'Counts rate limits for all processes'
    : 'Does not respond. Each process counts rate limits for itself'
}

function modelState({ services }: Health): string {
  return services.models === 'local' ? 'Local' : 'Provider'
}

function modelDetail({ services }: Health): string {
  return services.models === 'local' ? 'No provider. Answers quote the documents' : 'Models write the answers'
}

function State({ value }: { value: string | undefined }) {
  if (value === undefined) return <Skeleton className="h-3 w-20" />
  return value === 'healthy' ? (
    <StatusBadge kind="success">Healthy</StatusBadge>
  ) : (
    <StatusBadge kind="error">Unhealthy</StatusBadge>
  )
}

function Unknown() {
  return <span className="text-fg-3">Unknown</span>
}

/** The time since the last response, with the exact time on hover. */
function Checked({ at }: { at: number }) {
  const [now, setNow] = useState(at)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time
      className="text-fg-3 tabular-nums"
      dateTime={new Date(at).toISOString()}
      title={new Date(at).toISOString()}
    >
      Checked {formatAgo(now - at)}
    </time>
  )
}

function Unreachable({ failure }: { failure: string }) {
  return (
    <div role="alert" className={problemClass}>
      <h3 className="font-semibold">The server does not respond</h3>
      <p>
        <code>{serverAddress}</code>: {failure} This page keeps trying.
      </p>
      <ul className="list-disc pl-5">
        <li>
          Not running? Start it in Cairn’s folder: <code>npm start</code>
        </li>
        <li>
          Running on another address? It prints the address at start; <code>HOST</code> and <code>PORT</code>{' '}
          set it.
        </li>
        <li>
          Behind a proxy? The proxy must pass on everything under <code>/v1</code>.
        </li>
      </ul>
    </div>
  )
}

function Unhealthy() {
  return (
    <div role="alert" className={problemClass}>
      <h3 className="font-semibold">The database does not respond</h3>
      <p>Requests that need the database fail. The server’s log names the cause.</p>
      <ul className="list-disc pl-5">
        <li>
          With <code>DATABASE_URL</code>: check that PostgreSQL runs and that this machine reaches it.
        </li>
        <li>
          Without it: check that the disk of the data folder (<code>CAIRN_DATA_DIR</code>) is not full or
          read-only.
        </li>
      </ul>
    </div>
  )
}
