import type { ApplicationDetail } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useParams, useSearch } from '@tanstack/react-router'
import { CopyId } from '../../ui/copy-button.tsx'
import { formatBytes, plural } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { tabClass } from '../../ui/tab-class.ts'
import { Ago } from '../../ui/time.tsx'
import { AppActions } from './app-actions.tsx'
import { AppSettings } from './app-settings.tsx'
import { appTabs } from './app-tabs.ts'
import { AppUsers } from './app-users.tsx'
import { Integration } from './integration.tsx'
import { appQuery } from './queries.ts'

export const AppPage = createLazyRoute('/signed-in/projects/$projectId/apps/$appId')({ component: App })

const titles = { settings: 'Settings', integration: 'Integration', users: 'Users' }

/** The screen of one application. */
function App() {
  const { projectId, appId } = useParams({ from: '/signed-in/projects/$projectId/apps/$appId' })
  const { tab = 'settings' } = useSearch({ from: '/signed-in/projects/$projectId/apps/$appId' })
  const { data: app, error, refetch } = useQuery(appQuery(appId))
  return (
    <Page
      title={app?.app_name ?? 'Application'}
      above={
        <Link to="/projects/$projectId/apps" params={{ projectId }} className="hover:text-fg">
          Apps
        </Link>
      }
      actions={app && <AppActions app={app} />}
      bar={
        <nav aria-label="Views of the application" className="-my-1.5 flex gap-1">
          {appTabs.map((name) => (
            <Link
              key={name}
              to="/projects/$projectId/apps/$appId"
              params={{ projectId, appId }}
              search={{ tab: name === 'settings' ? undefined : name }}
              className={tabClass(name === tab)}
              {...(name === tab && { 'aria-current': 'page' as const })}
            >
              {titles[name]}
            </Link>
          ))}
        </nav>
      }
    >
      <QueryState
        query={{ data: app, error, refetch }}
        name="the application"
        skeleton={<Skeleton className="h-5 w-96" />}
      >
        {(app) => (
          <>
            <Facts app={app} />
            {tab === 'settings' && <AppSettings key={app.app_id} app={app} />}
            {tab === 'integration' && <Integration app={app} />}
            {tab === 'users' && <AppUsers app={app} />}
          </>
        )}
      </QueryState>
    </Page>
  )
}

/** State, size and age of the application in one line. */
function Facts({ app }: { app: ApplicationDetail }) {
  const on = app.api_access_enabled
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-fg-2">
      <StatusBadge kind={on ? 'success' : 'warning'}>
        {on ? 'API access is on' : 'API access is off'}
      </StatusBadge>
      <span>{plural(app.users, 'user')}</span>
      <span>
        {plural(app.files, 'file')}, {formatBytes(app.total_size_bytes)}
      </span>
      <span>
        Registered <Ago at={app.created_at} />
      </span>
      <CopyId id={app.app_id} />
    </p>
  )
}
