import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client } from '../../shared/client.ts'
import { projectsQuery } from '../../shared/queries/projects.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'

/** A server without projects: one click to the first one. */
export function Welcome({ onCreate }: { onCreate: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const start = useMutation({
    mutationFn: () => client.console.projects.create({ name: 'First project' }),
    onSuccess: async ({ project_id: projectId }) => {
      await queryClient.invalidateQueries(projectsQuery)
      await navigate({ to: '/projects/$projectId', params: { projectId } })
    },
  })
  return (
    <EmptyState title="Welcome to Cairn">
      <p>
        Everything here belongs to a project: traces of model calls with their scores, tests and versions, and
        the chats whose documents are asked about. In two minutes you have a first cited answer and a first
        trace.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={start.isPending && 'Creating…'} onClick={() => start.mutate()}>
          Start with a first project
        </Button>
        <Button onClick={onCreate}>Name it first</Button>
      </div>
      {start.error && <ErrorNotice error={start.error} />}
    </EmptyState>
  )
}
