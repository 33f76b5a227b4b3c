import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, useParams } from '@tanstack/react-router'
import { CopyId } from '../../ui/copy-button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Page, Skeleton } from '../../ui/page.tsx'
import { projectQuery } from './queries.ts'

export const ProjectHomePage = createLazyRoute('/signed-in/projects/$projectId/')({ component: ProjectHome })

/** What goes on in a project. */
function ProjectHome() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' })
  const { data: project, error, refetch } = useQuery(projectQuery(projectId))
  return (
    <Page title="Overview">
      {error && <ErrorNotice error={error} title="The project could not be read" retry={refetch} />}
      {project ? (
        <h2 className="text-xl font-semibold">{project.name}</h2>
      ) : (
        <Skeleton className="h-6 w-48" />
      )}
      <CopyId id={projectId} className="self-start" />
    </Page>
  )
}
