import type { Trace } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyId } from '../../ui/copy-button.tsx'
import { formatCompact, formatDuration, formatMoney, formatTime } from '../../ui/format.ts'
import { Chip } from '../../ui/status-badge.tsx'
import { TraceStatus } from './trace-columns.tsx'

/** Status and figures of a trace in one line; time, session, user and tags below. */
export function TraceFacts({ projectId, trace }: { projectId: string; trace: Trace }) {
  const { status, latency_ms, cost, token_usage: usage, model, version, error, tags } = trace
  const tokens = usage && (
    <>
      {formatCompact(usage.prompt_tokens)} → {formatCompact(usage.completion_tokens)} tokens
    </>
  )
  return (
    <div className="flex flex-col gap-2">
      <ul aria-label="Summary" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-lg tabular-nums">
        <li>
          <TraceStatus status={status} />
        </li>
        {latency_ms !== null && <li title="Latency">{formatDuration(latency_ms)}</li>}
        {cost !== null && <li title="Cost">{formatMoney(cost)}</li>}
        {tokens && <li title="Tokens in and out">{tokens}</li>}
        {model && <li title="Model">{model}</li>}
        {version && <li title="Version">version {version}</li>}
      </ul>
      {error && (
        <p
          role="note"
          className="rounded-md border border-error bg-error-surface p-2 break-words whitespace-pre-wrap"
        >
          {error}
        </p>
      )}
      <dl className="flex flex-wrap items-center gap-x-4 gap-y-1 text-fg-2">
        {trace.name !== undefined && <Fact name="Name">{trace.name}</Fact>}
        <Fact name="Time">{formatTime(trace.created_at)}</Fact>
        {trace.session_id !== null && (
          <Fact name="Session">
            <Link
              className="link"
              to="/projects/$projectId/sessions/$sessionId"
              params={{ projectId, sessionId: trace.session_id }}
            >
              {trace.session_id}
            </Link>
          </Fact>
        )}
        {trace.user_id !== null && (
          <Fact name="User">
            <Link
              className="link"
              to="/projects/$projectId/traces"
              params={{ projectId }}
              search={{ user_id: trace.user_id }}
            >
              {trace.user_id}
            </Link>
          </Fact>
        )}
        {trace.environment !== null && <Fact name="Environment">{trace.environment}</Fact>}
        <Fact name="Id">
          <CopyId id={trace.trace_id} />
        </Fact>
      </dl>
      {tags.length > 0 && (
        <p className="flex flex-wrap gap-1">
          {tags.map((tag) => (
            <Chip key={tag} title={tag}>
              {tag}
            </Chip>
          ))}
        </p>
      )}
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <dt className="text-fg-3">{name}</dt>
      <dd className="min-w-0 truncate text-fg">{children}</dd>
    </div>
  )
}
