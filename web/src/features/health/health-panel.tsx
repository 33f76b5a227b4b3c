import './health.css'
import type { Health } from '@cairn/sdk'
import { useEffect, useState } from 'react'
import { serverAddress } from '../../client.ts'
import { formatAgo, formatDuration } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import type { HealthState } from './use-health.ts'

/** The state of the server and what it stands on, as a table; above it what to do when something is wrong. */
export function HealthPanel({ answer, failure, checking, refresh }: HealthState & { refresh: () => void }) {
  return (
    <section aria-labelledby="health-title" aria-busy={checking}>
      <div className="head">
        <h2 id="health-title">Health</h2>
        <span className="head-actions">
          {answer && <Checked at={answer.at} />}
          <button type="button" onClick={refresh}>
            Refresh
          </button>
        </span>
      </div>
      {failure !== undefined && <Unreachable failure={failure} />}
      {failure === undefined && answer?.health.status === 'unhealthy' && <Unhealthy />}
      <table className={failure === undefined ? 'health' : 'health stale'}>
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">State</th>
            <th scope="col">Detail</th>
          </tr>
        </thead>
        <tbody>{rows(answer, failure !== undefined)}</tbody>
      </table>
    </section>
  )
}

type Answer = HealthState['answer']

function rows(answer: Answer, failed: boolean) {
  const health = answer?.health
  return (
    <>
      <tr>
        <th scope="row">Server</th>
        <td>{failed ? <Mark kind="error">No answer</Mark> : <State value={health?.status} />}</td>
        <td>{answer && <ServerDetail answer={answer} failed={failed} />}</td>
      </tr>
      <tr>
        <th scope="row">Database</th>
        <td>{failed ? <Unknown /> : <State value={health?.services.database} />}</td>
        <td>{health && !failed && databaseDetail(health)}</td>
      </tr>
      <tr>
        <th scope="row">Models</th>
        <td>
          {failed ? <Unknown /> : health ? <Mark kind="info">{modelState(health)}</Mark> : <Skeleton />}
        </td>
        <td>{health && !failed && modelDetail(health)}</td>
      </tr>
    </>
  )
}

function ServerDetail({ answer, failed }: { answer: NonNullable<Answer>; failed: boolean }) {
  if (failed) return <>Version {answer.health.version} when it last answered</>
  return (
    <>
      Version {answer.health.version}, answered in{' '}
      <span className="number">{formatDuration(answer.tookMs)}</span>
    </>
  )
}

function databaseDetail({ services }: Health): string {
  return services.database === 'healthy' ? 'Answers queries' : 'Does not answer'
}

function modelState({ services }: Health): string {
  return services.models === 'local' ? 'Local' : 'Provider'
}

function modelDetail({ services }: Health): string {
  return services.models === 'local'
    ? 'No provider: answers quote the documents'
    : 'Answers are written by models'
}

function State({ value }: { value: string | undefined }) {
  if (value === undefined) return <Skeleton />
  return value === 'healthy' ? <Mark kind="success">Healthy</Mark> : <Mark kind="error">Unhealthy</Mark>
}

function Skeleton() {
  return (
    <span className="skeleton">
      <span className="hidden">Loading</span>
    </span>
  )
}

function Unknown() {
  return <span className="quiet">Unknown</span>
}

/** When the last answer came; the exact time on hover. */
function Checked({ at }: { at: number }) {
  const [now, setNow] = useState(at)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time className="quiet number" dateTime={new Date(at).toISOString()} title={new Date(at).toISOString()}>
      Answered {formatAgo(now - at)}
    </time>
  )
}

function Unreachable({ failure }: { failure: string }) {
  return (
    <div className="problem" role="alert">
      <h3>The server does not answer</h3>
      <p>
        <code>{serverAddress}</code>: {failure} This page keeps trying.
      </p>
      <ul>
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
    <div className="problem" role="alert">
      <h3>The database does not answer</h3>
      <p>Requests that need it fail until it does. The server’s log names the cause.</p>
      <ul>
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
