import { createLazyRoute, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NotFound } from '../../shared/failures.tsx'
import { Page } from '../../ui/page.tsx'
import { AuditLog, Usage } from '../settings/index.ts'
import { Load } from './load.tsx'
import { ModelsSection } from './models.tsx'
import { Multipliers } from './multipliers.tsx'
import { Providers } from './providers.tsx'
import { ServerTabs } from './server-tabs.tsx'

const route = '/signed-in/server/$section'
export const ServerSectionPage = createLazyRoute(route)({ component: Section })

/** The screens of the server besides its health. */
function Section() {
  const { section } = useParams({ from: route })
  const { action, open, group, days } = useSearch({ from: route })
  const navigate = useNavigate()
  const go = (search: object) => navigate({ to: '/server/$section', params: { section }, search })
  if (section === 'models') {
    return (
      <Page title="Server: Models" bar={<ServerTabs current="models" />}>
        <Providers />
        <ModelsSection />
        <Multipliers />
      </Page>
    )
  }
  if (section === 'load') {
    return (
      <Page title="Server: Load" bar={<ServerTabs current="load" />}>
        <Load />
      </Page>
    )
  }
  if (section === 'usage') {
    return (
      <Page title="Server: Usage" bar={<ServerTabs current="usage" />}>
        <Usage group={group} days={days} onChange={go} />
      </Page>
    )
  }
  if (section !== 'audit') return <NotFound />
  return (
    <Page title="Server: Audit log" bar={<ServerTabs current="audit" />} fill>
      <AuditLog action={action} open={open} onChange={go} />
    </Page>
  )
}
