import type { VersionSummary } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { versionQuery, versionsQuery } from '../../shared/queries/versions.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { ConfigDifference } from './config-difference.tsx'
import { MeasuresTable, Verdict } from './measures-table.tsx'
import { Rollback } from './rollback.tsx'
import { useComparison } from './use-comparison.ts'

const route = '/signed-in/projects/$projectId/versions/compare'
export const ComparePage = createLazyRoute(route)({ component: Compare })

/** The screen that compares two versions; default are the active version and the one before it. */
function Compare() {
  const { projectId } = useParams({ from: route })
  const search = useSearch({ from: route })
  const navigate = useNavigate({ from: '/projects/$projectId/versions/compare' })
  const { data: versions, error, refetch } = useQuery(versionsQuery(projectId))
  const active = versions?.find(({ is_active }) => is_active)
  const b = search.b ?? active?.version_id
  const before = versions?.find(
    (one) => one.version_id !== b && (!active || one.created_at < active.created_at),
  )
  const a = search.a ?? before?.version_id ?? versions?.find((one) => one.version_id !== b)?.version_id
  const choose = (choice: { a?: string | undefined; b?: string | undefined }) =>
    void navigate({ search: { a, b, ...choice } })
  return (
    <Page
      title="Compare"
      above={
        <Link to="/projects/$projectId/versions" params={{ projectId }} search={{ tab: undefined }}>
          Versions
        </Link>
      }
      actions={versions && active && a && b && <RollbackButton {...{ projectId, versions, active, a, b }} />}
      bar={
        versions && (
          <section aria-label="Versions to compare" className="flex items-center gap-2">
            <VersionSelect label="From" value={a} versions={versions} onChange={(id) => choose({ a: id })} />
            <IconButton label="Swap the versions" onClick={() => choose({ a: b, b: a })}>
              <ArrowLeftRight size={14} />
            </IconButton>
            <VersionSelect label="To" value={b} versions={versions} onChange={(id) => choose({ b: id })} />
          </section>
        )
      }
    >
      <QueryState query={{ data: versions, error, refetch }} name="the versions">
        {() =>
          a === undefined || b === undefined ? (
            <EmptyState title="A comparison needs two versions">
              Publish another version to compare both here.
            </EmptyState>
          ) : (
            <Comparison projectId={projectId} a={a} b={b} />
          )
        }
      </QueryState>
    </Page>
  )
}

function VersionSelect({
  label,
  value,
  versions,
  onChange,
}: {
  label: string
  value: string | undefined
  versions: readonly VersionSummary[]
  onChange: (versionId: string) => void
}) {
  return (
    <div className="w-44 min-w-0">
      <Select aria-label={label} value={value ?? ''} onChange={(event) => onChange(event.target.value)}>
        {versions.map(({ version_id, version, is_active }) => (
          <option key={version_id} value={version_id}>
            {version}
            {is_active ? ' (active)' : ''}
          </option>
        ))}
      </Select>
    </div>
  )
}

/** Rolls back to the compared version that is not active. */
function RollbackButton({
  projectId,
  versions,
  active,
  a,
  b,
}: {
  projectId: string
  versions: readonly VersionSummary[]
  active: VersionSummary
  a: string
  b: string
}) {
  const [open, setOpen] = useState(false)
  const other = active.version_id === a ? b : active.version_id === b ? a : undefined
  const target = versions.find(({ version_id }) => version_id === other)
  if (!target || target.is_active) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>Roll back to {target.version}</Button>
      <Rollback {...{ projectId, active, target, open }} onClose={() => setOpen(false)} />
    </>
  )
}

function Comparison({ projectId, a, b }: { projectId: string; a: string; b: string }) {
  const { comparison, measures, error, retry } = useComparison(projectId, a, b)
  const configA = useQuery(versionQuery(projectId, a))
  const configB = useQuery(versionQuery(projectId, b))
  const both = comparison && measures && { comparison, measures }
  return (
    <QueryState query={{ data: both, error, refetch: retry }} name="the comparison" rows={7}>
      {({ comparison, measures }) => (
        <>
          <Section title={`${comparison.version_b.version} against ${comparison.version_a.version}`}>
            <Verdict comparison={comparison} measures={measures} />
            <div className="max-w-3xl">
              <MeasuresTable comparison={comparison} measures={measures} />
            </div>
          </Section>
          {configA.data && configB.data && <ConfigDifference a={configA.data} b={configB.data} />}
        </>
      )}
    </QueryState>
  )
}
