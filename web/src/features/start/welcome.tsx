import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client } from '../../shared/client.ts'
import { projectsQuery } from '../../shared/queries/projects.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'

/** The first screen of a server without projects, with a button that creates one. */
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
        Everything in Cairn belongs to a project: traces of model calls, scores, tests, versions, and chats
        about documents. In two minutes you can have a first cited answer and a first trace.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={start.isPending && 'Creating…'} onClick={() => start.mutate()}>
          Start with a first project
        </Button>
        <Button onClick={onCreate}>Choose a name first</Button>
      </div>
      {start.error && <ErrorNotice error={start.error} />}
    </EmptyState>
  )
}
