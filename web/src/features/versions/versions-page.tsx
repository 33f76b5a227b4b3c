import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { versionsQuery } from '../../shared/queries/versions.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { tabClass } from '../../ui/tab-class.ts'
import { ActivationHistory } from './activation-history.tsx'
import { NoVersions } from './no-versions.tsx'
import { PublishVersion } from './publish-version.tsx'
import { lastRunsQuery, versionFiguresQuery } from './queries.ts'
import { type VersionRow, versionColumns } from './version-columns.tsx'

export const VersionsPage = createLazyRoute('/signed-in/projects/$projectId/versions')({
  component: Versions,
})

/** The screen of all versions of a project with their figures, and of their activations. */
function Versions() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/versions' })
  const { tab } = useSearch({ from: '/signed-in/projects/$projectId/versions' })
  const { data: versions } = useQuery(versionsQuery(projectId))
  const [publishing, setPublishing] = useState(false)
  const publishButton = (
    <Button variant="primary" onClick={() => setPublishing(true)}>
      Publish a version
    </Button>
  )
  const hasAny = versions !== undefined && versions.length > 0
  return (
    <Page
      title="Versions"
      fill
      actions={
        hasAny && (
          <>
            {versions.length > 1 && (
              <Link
                to="/projects/$projectId/versions/compare"
                params={{ projectId }}
                search={{ a: undefined, b: undefined }}
                className={buttonClass()}
              >
                Compare
              </Link>
            )}
            {publishButton}
          </>
        )
      }
      bar={
        <nav aria-label="Versions" className="-my-1.5 flex gap-1">
          {([undefined, 'history'] as const).map((name) => (
            <Link
              key={name ?? 'list'}
              to="/projects/$projectId/versions"
              params={{ projectId }}
              search={{ tab: name }}
              className={tabClass(tab === name)}
              {...(tab === name && { 'aria-current': 'page' as const })}
            >
              {name === 'history' ? 'Activations' : 'All versions'}
            </Link>
          ))}
        </nav>
      }
    >
      {tab === 'history' ? (
        <ActivationHistory projectId={projectId} />
      ) : (
        <VersionList projectId={projectId} publish={publishButton} />
      )}
      {versions && (
        <PublishVersion
          projectId={projectId}
          versions={versions}
          open={publishing}
          onClose={() => setPublishing(false)}
        />
      )}
    </Page>
  )
}

function VersionList({ projectId, publish }: { projectId: string; publish: ReactNode }) {
  const { data: versions, error, refetch } = useQuery(versionsQuery(projectId))
  const { data: figures } = useQuery(versionFiguresQuery(projectId))
  const { data: runs } = useQuery(lastRunsQuery(projectId))
  const navigate = useNavigate()
  const columns = useMemo(() => versionColumns(projectId), [projectId])
  const rows = useMemo(
    () =>
      versions?.map(
        (version): VersionRow => ({
          ...version,
          figures: figures && (figures.get(version.version) ?? null),
          run: runs?.get(version.version_id),
        }),
      ),
    [versions, figures, runs],
  )
  return (
    <QueryTable
      query={{ data: rows, error, refetch }}
      name="versions"
      label="Versions"
      columns={columns}
      rowKey={({ version_id }) => version_id}
      onOpen={({ version_id: versionId }) =>
        navigate({ to: '/projects/$projectId/versions/$versionId', params: { projectId, versionId } })
      }
      empty={<NoVersions projectId={projectId}>{publish}</NoVersions>}
    />
  )
}
