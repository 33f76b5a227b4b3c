import type { Project } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { projectsQuery } from '../../shared/queries/projects.ts'
import { Button } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { Ago } from '../../ui/time.tsx'
import { Welcome } from '../start/index.ts'
import { CreateProject } from './create-project.tsx'

export const ProjectsPage = createLazyRoute('/signed-in/')({ component: Projects })

const columns: readonly Column<Project>[] = [
  {
    id: 'name',
    title: 'Name',
    width: 320,
    grow: true,
    cell: ({ project_id: projectId, name }) => (
      <Link to="/projects/$projectId" params={{ projectId }} className="font-medium" tabIndex={-1}>
        {name}
      </Link>
    ),
  },
  { id: 'id', title: 'Id', width: 260, cell: ({ project_id }) => <CopyId id={project_id} /> },
  {
    id: 'retention',
    title: 'Traces kept',
    width: 120,
    cell: ({ retention_days: days }) => (days === 0 ? 'Forever' : `${days} days`),
  },
  { id: 'created', title: 'Created', width: 120, cell: ({ created_at }) => <Ago at={created_at} /> },
]

/** The screen of all projects. */
function Projects() {
  const { data: projects, error, refetch } = useQuery(projectsQuery)
  const [creating, setCreating] = useState(false)
  const navigate = useNavigate()
  const createButton = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      New project
    </Button>
  )
  return (
    <Page title="Projects" actions={projects && projects.length > 0 && createButton} fill>
      <QueryTable
        query={{ data: projects, error, refetch }}
        name="projects"
        label="Projects"
        columns={columns}
        rowKey={({ project_id }) => project_id}
        onOpen={({ project_id: projectId }) =>
          navigate({ to: '/projects/$projectId', params: { projectId } })
        }
        empty={<Welcome onCreate={() => setCreating(true)} />}
      />
      <CreateProject open={creating} onClose={() => setCreating(false)} />
    </Page>
  )
}
