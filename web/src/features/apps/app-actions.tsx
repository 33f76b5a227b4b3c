import type { ApplicationDetail } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatBytes, plural } from '../../ui/format.ts'
import { appsQuery } from './queries.ts'
import { useAppChange } from './use-app-change.ts'

/** Buttons that switch an application on and off and delete it. */
export function AppActions({ app }: { app: ApplicationDetail }) {
  const { app_id: appId, app_name, project_id: projectId, api_access_enabled: on } = app
  const [asked, setAsked] = useState<'switch' | 'delete'>()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const toggle = useAppChange(() => client.console.apps.update(appId, { api_access_enabled: !on }))
  const close = () => setAsked(undefined)
  return (
    <>
      <Button onClick={() => setAsked('switch')}>{on ? 'Switch off' : 'Switch on'}</Button>
      <Button variant="danger" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      <ConfirmDialog
        title={on ? 'Switch API access off?' : 'Switch API access on?'}
        action={on ? 'Switch off' : 'Switch on'}
        open={asked === 'switch'}
        onClose={close}
        onConfirm={() => toggle.mutateAsync(undefined)}
        consequences={
          on ? (
            <p>
              {plural(app.users, 'user')} of {app_name} will get 403 for every call. Their data is kept, and
              they can use it again once access is switched on.
            </p>
          ) : (
            <p>
              {plural(app.users, 'user')} of {app_name} can call again, and new users can join.
            </p>
          )
        }
      />
      <ConfirmDialog
        title={`Delete ${app_name}?`}
        action="Delete application"
        name={app_name}
        open={asked === 'delete'}
        onClose={close}
        onConfirm={async () => {
          await client.console.apps.delete(appId)
          // Only the list is refetched, since the application no longer exists.
          await queryClient.invalidateQueries(appsQuery(projectId))
          await navigate({ to: '/projects/$projectId/apps', params: { projectId } })
        }}
        consequences={
          <p>
            This deletes the application, {plural(app.users, 'user')}, their private chats and{' '}
            {plural(app.files, 'file')} ({formatBytes(app.total_size_bytes)}). This cannot be undone. The
            parent chat is kept.
          </p>
        }
      />
    </>
  )
}
