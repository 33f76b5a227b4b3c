import { createLazyRoute, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { NotFound } from '../../shared/failures.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/states/skeleton.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { type SectionName, sections } from './sections.tsx'

export const SettingsPage = createLazyRoute('/signed-in/projects/$projectId/settings')({
  component: () => <Settings section="general" />,
})
export const SettingsSectionPage = createLazyRoute('/signed-in/projects/$projectId/settings/$section')({
  component: NamedSection,
})

function NamedSection() {
  const { section } = useParams({ from: '/signed-in/projects/$projectId/settings/$section' })
  return section in sections ? <Settings section={section as SectionName} /> : <NotFound />
}

/** The project settings, with an address for each tab. */
function Settings({ section }: { section: SectionName }) {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' })
  const { Content, ...entry } = sections[section]
  return (
    <Page
      title={section === 'general' ? 'Settings' : `Settings: ${entry.title}`}
      bar={
        <TabLinks
          label="Settings"
          current={section}
          tabs={Object.entries(sections).map(([name, { title }]) => ({
            name,
            title,
            to: `/projects/${projectId}/settings/${name}`,
          }))}
        />
      }
      fill={'fill' in entry}
    >
      <Suspense fallback={<SkeletonRows name="the settings" />}>
        <Content key={projectId} projectId={projectId} />
      </Suspense>
    </Page>
  )
}
