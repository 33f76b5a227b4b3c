import type { Version } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { versionQuery, versionsQuery } from '../../shared/queries/versions.ts'
import { tracesLink } from '../../shared/traces-link.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import { Figure, Figures } from '../../ui/figure.tsx'
import { formatCompact, formatDuration, formatMoney, formatScore, formatShare } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { ConfigView } from './config-view.tsx'
import { lastRunsQuery, oneVersionFiguresQuery, versionScoresQuery } from './queries.ts'
import { Rollback } from './rollback.tsx'

export const VersionPage = createLazyRoute('/signed-in/projects/$projectId/versions/$versionId')({
  component: OneVersion,
})

/** The screen of a version: its figures and configuration. */
function OneVersion() {
  const { projectId, versionId } = useParams({ from: '/signed-in/projects/$projectId/versions/$versionId' })
  const { data: version, error, refetch } = useQuery(versionQuery(projectId, versionId))
  return (
    <Page
      title={version?.version ?? 'Version'}
      above={
        <Link to="/projects/$projectId/versions" params={{ projectId }} search={{ tab: undefined }}>
          Versions
        </Link>
      }
      actions={version && <Actions projectId={projectId} version={version} />}
    >
      <QueryState query={{ data: version, error, refetch }} name="the version">
        {(version) => (
          <>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
              {version.is_active ? (
                <StatusBadge kind="success">Active</StatusBadge>
              ) : (
                <StatusBadge kind="info">Not active</StatusBadge>
              )}
              <span className="text-fg-2">
                Published <Ago at={version.created_at} />
              </span>
              <CopyId id={versionId} />
            </div>
            {version.description && <p className="max-w-prose">{version.description}</p>}
            <VersionFigures projectId={projectId} version={version} />
            <ConfigView config={version.config} />
          </>
        )}
      </QueryState>
    </Page>
  )
}

function Actions({ projectId, version }: { projectId: string; version: Version }) {
  const { data: versions = [] } = useQuery(versionsQuery(projectId))
  const [rollingBack, setRollingBack] = useState(false)
  const active = versions.find(({ is_active }) => is_active)
  const at = versions.findIndex(({ version_id }) => version_id === version.version_id)
  const other = version.is_active ? versions[at + 1] : active
  return (
    <>
      <Link {...tracesLink(projectId, { version: version.version })} className={buttonClass()}>
        Traces
      </Link>
      {other && (
        <Link
          to="/projects/$projectId/versions/compare"
          params={{ projectId }}
          search={
            version.is_active
              ? { a: other.version_id, b: version.version_id }
              : { a: version.version_id, b: other.version_id }
          }
          className={buttonClass()}
        >
          Compare with {other.version}
        </Link>
      )}
      {active && !version.is_active && (
        <>
          <Button onClick={() => setRollingBack(true)}>Roll back to this</Button>
          <Rollback
            projectId={projectId}
            active={active}
            target={version}
            open={rollingBack}
            onClose={() => setRollingBack(false)}
          />
        </>
      )}
    </>
  )
}

function VersionFigures({ projectId, version }: { projectId: string; version: Version }) {
  const { data: figures } = useQuery(oneVersionFiguresQuery(projectId, version.version))
  const { data: scores } = useQuery(versionScoresQuery(projectId, version.version))
  const { data: runs } = useQuery(lastRunsQuery(projectId))
  const run = runs?.get(version.version_id)
  const { trace_count: traces, avg_cost: cost } = version
  const whenRead = (text: string) => (figures === undefined ? undefined : text)
  return (
    <Figures label="Figures of this version">
      <Figure label="Traces" value={formatCompact(traces)} />
      <Figure label="Error rate" value={whenRead(formatShare(figures?.error_rate))} />
      <Figure label="Latency p50" value={whenRead(formatDuration(figures?.p50_latency_ms || null))} />
      <Figure label="Latency p95" value={whenRead(formatDuration(figures?.p95_latency_ms || null))} />
      <Figure label="Cost per trace" value={formatMoney(cost || null)} />
      {run && <Figure label="Last run passed" value={formatShare(run.pass_rate)} />}
      {[...(scores ?? [])].map(([name, { mean }]) => (
        <Figure key={name} label={`Score ${name}`} value={formatScore(mean)} />
      ))}
    </Figures>
  )
}
