import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, useParams } from '@tanstack/react-router'
import { chatQuery } from '../../shared/queries/chats.ts'
import { Section } from '../../ui/page.tsx'
import { Skeleton, SkeletonBlock } from '../../ui/states/skeleton.tsx'
import { ChatTitle } from './chat-title.tsx'
import { DeleteChat } from './delete-chat.tsx'
import { EmbeddingPanel } from './embedding-panel.tsx'
import { Publications } from './publications.tsx'
import { PublishSettings } from './publish-settings.tsx'
import { SettingsForm } from './settings-form.tsx'

const from = '/signed-in/projects/$projectId/chats/$chatId/settings'

export const SettingsPage = createLazyRoute(from)({ component: Settings })

/** The tab with draft, published settings, publication history, title and deletion of a chat. */
function Settings() {
  const { projectId, chatId } = useParams({ from })
  const { data: chat } = useQuery(chatQuery(chatId))
  if (!chat) return <SettingsSkeleton />
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4">
      <div className="grid max-w-6xl gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="min-w-0">
          <Section
            title="Draft"
            note="The playground uses the draft. Keys and users get answers by the published settings."
          >
            <SettingsForm chat={chat} key={JSON.stringify(chat.settings)} />
          </Section>
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <PublishSettings chat={chat} />
          <EmbeddingPanel chatId={chatId} />
          <Publications chat={chat} />
          <ChatTitle chat={chat} />
          <DeleteChat chat={chat} projectId={projectId} />
        </div>
      </div>
    </div>
  )
}

function SettingsSkeleton() {
  return (
    <SkeletonBlock name="the settings" className="flex max-w-xl flex-col gap-5 p-4">
      {[0, 1, 2, 3, 4].map((field) => (
        <div key={field} className="flex flex-col gap-2">
          <Skeleton className="h-3 w-32" />
          <Skeleton className="h-7 w-full" />
        </div>
      ))}
    </SkeletonBlock>
  )
}
