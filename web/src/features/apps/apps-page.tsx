import type { ApplicationDetail } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate, useParams } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { formatBytes, formatCount } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { PrivateNote } from './private-note.tsx'
import { appsQuery } from './queries.ts'

export const AppsPage = createLazyRoute('/signed-in/projects/$projectId/apps')({ component: Apps })

const columns: readonly Column<ApplicationDetail>[] = [
  {
    id: 'name',
    title: 'Name',
    width: 240,
    grow: true,
    cell: ({ app_id: appId, app_name, project_id: projectId }) => (
      <Link
        to="/projects/$projectId/apps/$appId"
        params={{ projectId, appId }}
        className="font-medium"
        tabIndex={-1}
      >
        {app_name}
      </Link>
    ),
  },
  {
    id: 'state',
    title: 'API access',
    width: 108,
    cell: ({ api_access_enabled: on }) => (
      <StatusBadge kind={on ? 'success' : 'warning'}>{on ? 'On' : 'Off'}</StatusBadge>
    ),
  },
  { id: 'issuer', title: 'Issuer', width: 240, cell: ({ issuer }) => <span title={issuer}>{issuer}</span> },
  { id: 'users', title: 'Users', width: 80, align: 'right', cell: ({ users }) => formatCount(users) },
  { id: 'files', title: 'Files', width: 80, align: 'right', cell: ({ files }) => formatCount(files) },
  {
    id: 'size',
    title: 'Size',
    width: 96,
    align: 'right',
    cell: ({ total_size_bytes }) => formatBytes(total_size_bytes),
  },
  { id: 'id', title: 'Id', width: 220, cell: ({ app_id }) => <CopyId id={app_id} /> },
  { id: 'created', title: 'Registered', width: 128, cell: ({ created_at }) => <Ago at={created_at} /> },
]

/** The screen of all applications of a project. */
function Apps() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' })
  const { data: apps, error, refetch } = useQuery(appsQuery(projectId))
  const navigate = useNavigate()
  const register = (
    <Link to="/projects/$projectId/apps/register" params={{ projectId }} className={buttonClass('primary')}>
      Register application
    </Link>
  )
  return (
    <Page title="Apps" actions={apps && apps.length > 0 && register} fill>
      <QueryTable
        query={{ data: apps, error, refetch }}
        name="apps"
        label="Applications"
        columns={columns}
        rowKey={({ app_id }) => app_id}
        onOpen={({ app_id: appId }) =>
          navigate({ to: '/projects/$projectId/apps/$appId', params: { projectId, appId } })
        }
        footer={<PrivateNote />}
        empty={
          <EmptyState title="No applications yet">
            <p>
              Users of an application sign in with your identity provider, and their client sends its ID token
              straight to Cairn. Each user gets a private chat for their own files, beside your published
              chat.
            </p>
            <PrivateNote />
            {register}
          </EmptyState>
        }
      />
    </Page>
  )
}
