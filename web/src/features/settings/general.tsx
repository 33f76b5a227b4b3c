import type { Project } from '@cairn/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { chatsQuery } from '../../shared/queries/chats.ts'
import { projectQuery, projectsQuery } from '../../shared/queries/projects.ts'
import { Button } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import { formatDay, formatTime, plural } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

const { projects } = client.console

/** Name, retention and deletion of a project. */
export default function General({ projectId }: { projectId: string }) {
  const { data: project, error, refetch } = useQuery(projectQuery(projectId))
  return (
    <QueryState query={{ data: project, error, refetch }} name="the project" rows={4}>
      {(project) => (
        <>
          <Section title="Project">
            <Facts
              facts={[
                { name: 'Id', value: <CopyId id={projectId} /> },
                { name: 'Created', value: formatTime(project.created_at) },
              ]}
            />
            <Rename project={project} />
          </Section>
          <Retention project={project} />
          <DeleteProject project={project} />
        </>
      )}
    </QueryState>
  )
}

/** Updates the project on the server and in every query that shows it. */
function useUpdate({ project_id: projectId }: Project) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (changes: { name?: string; retention_days?: number }) => projects.update(projectId, changes),
    onSuccess: async (saved) => {
      queryClient.setQueryData(projectQuery(projectId).queryKey, saved)
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true })
    },
  })
}

function Saved({ shown }: { shown: boolean }) {
  return <span role="status">{shown && <StatusBadge kind="success">Saved</StatusBadge>}</span>
}

function Rename({ project }: { project: Project }) {
  const [name, setName] = useState(project.name)
  const save = useUpdate(project)
  return (
    <form
      className="flex max-w-xl flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ name: name.trim() })
      }}
    >
      <Field label="Name">
        {(ids) => (
          <Input
            {...ids}
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {save.error && <ErrorNotice error={save.error} />}
      <div className="flex items-center gap-3">
        <Button type="submit" busy={save.isPending && 'Saving…'} disabled={name.trim() === project.name}>
          Rename
        </Button>
        <Saved shown={save.isSuccess} />
      </div>
    </form>
  )
}

const dayMs = 86_400_000
const choices = [0, 7, 30, 90, 180, 365, 730]

function dateBefore(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString()
}

function Retention({ project }: { project: Project }) {
  const [days, setDays] = useState(project.retention_days)
  const [asking, setAsking] = useState(false)
  const save = useUpdate(project)
  const border = formatDay(Date.now() - days * dayMs)
  // Only a shorter retention deletes traces now.
  const isShorter = days > 0 && (project.retention_days === 0 || days < project.retention_days)
  const { data: old } = useQuery({
    queryKey: ['settings', project.project_id, 'older', days],
    queryFn: ({ signal }) =>
      client.analytics.metrics(
        project.project_id,
        // Without a start the API counts only the last 30 days.
        { start_date: new Date(0).toISOString(), end_date: dateBefore(days) },
        { signal },
      ),
    enabled: asking,
  })
  const offered = [...new Set([...choices, project.retention_days])].sort((a, b) => a - b)
  return (
    <Section
      title="Retention"
      note="How long traces, scores and chat conversations are kept. Documents, suites, runs and versions have no retention."
    >
      <form
        className="flex max-w-xl flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (isShorter) setAsking(true)
          else save.mutate({ retention_days: days })
        }}
      >
        <Field
          label="Keep traces for"
          hint={
            days === 0
              ? 'Traces are never deleted automatically.'
              : `Traces are deleted after ${days} days. Today this applies to all traces before ${border}.`
          }
        >
          {(ids) => (
            <Select {...ids} value={days} onChange={(event) => setDays(Number(event.target.value))}>
              {offered.map((one) => (
                <option key={one} value={one}>
                  {one === 0 ? 'Forever' : `${one} days`}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {save.error && <ErrorNotice error={save.error} />}
        <div className="flex items-center gap-3">
          <Button type="submit" busy={save.isPending && 'Saving…'} disabled={days === project.retention_days}>
            {isShorter ? 'Save…' : 'Save'}
          </Button>
          <Saved shown={save.isSuccess} />
        </div>
      </form>
      <ConfirmDialog
        title={`Keep traces for ${days} days?`}
        consequences={`${old ? plural(old.total_queries, 'trace') : 'All traces'} from before ${border} ${old?.total_queries === 1 ? 'is' : 'are'} deleted with their scores in the background. From then on, older traces are deleted every day. This cannot be undone.`}
        action="Delete older traces"
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => save.mutateAsync({ retention_days: days })}
      />
    </Section>
  )
}

function DeleteProject({ project }: { project: Project }) {
  const [asking, setAsking] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { project_id: projectId, name } = project
  const { data: chats } = useQuery({ ...chatsQuery(projectId), enabled: asking })
  const held = chats ? `its ${chats.length === 1 ? 'chat' : `${chats.length} chats`}` : 'its chats'
  return (
    <Section
      title="Delete the project"
      note="Deletes everything in it: traces, scores, suites, runs, versions, chats and their documents, keys and webhooks."
    >
      <div>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Delete project…
        </Button>
      </div>
      <ConfirmDialog
        title="Delete the project?"
        consequences={`“${name}” is deleted with ${chats?.length === 0 ? 'all its traces' : `${held}, their documents, all traces`}, scores, suites, runs, versions and keys. Calls with its keys will be rejected. This cannot be undone.`}
        action="Delete project"
        name={name}
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await projects.delete(projectId)
          queryClient.setQueryData(projectsQuery.queryKey, (all) =>
            all?.filter(({ project_id }) => project_id !== projectId),
          )
          await navigate({ to: '/' })
          queryClient.removeQueries({ queryKey: projectQuery(projectId).queryKey })
          queryClient.removeQueries(chatsQuery(projectId))
          await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true })
        }}
      />
    </Section>
  )
}
