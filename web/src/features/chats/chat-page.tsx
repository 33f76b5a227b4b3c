import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, Outlet, useParams } from '@tanstack/react-router'
import { chatQuery } from '../../shared/queries/chats.ts'
import { Page } from '../../ui/page.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { tabClass } from '../../ui/tab-class.ts'
import { PublicationBadge } from './chat-state.tsx'

const from = '/signed-in/projects/$projectId/chats/$chatId'

export const ChatPage = createLazyRoute(from)({ component: ChatLayout })

const base = '/projects/$projectId/chats/$chatId'
const tabs = [
  { title: 'Playground', to: `${base}/playground` },
  { title: 'Files', to: `${base}/files` },
  { title: 'Settings', to: `${base}/settings` },
  { title: 'Scopes', to: `${base}/scopes` },
  { title: 'API access', to: `${base}/api` },
] as const

/** The screen of a chat: its title, and a tab for each part. */
function ChatLayout() {
  const { projectId, chatId } = useParams({ from })
  const { data: chat, error, refetch } = useQuery(chatQuery(chatId))
  const toList = (
    <Link to="/projects/$projectId/chats" params={{ projectId }} className="hover:text-fg">
      Chats
    </Link>
  )
  return (
    <Page
      title={chat?.title ?? 'Chat'}
      above={toList}
      actions={chat && <PublicationBadge chat={chat} />}
      fill
    >
      {error && !chat ? (
        <div className="flex-1 p-4">
          <ErrorNotice error={error} title="The chat could not be loaded" retry={refetch} />
        </div>
      ) : (
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <nav aria-label="Chat" className="flex shrink-0 gap-1 overflow-x-auto border-b px-2">
            {tabs.map(({ title, to }) => (
              <Link
                key={to}
                to={to}
                params={{ projectId, chatId }}
                inactiveProps={{ className: tabClass(false) }}
                activeProps={{ className: tabClass(true) }}
                activeOptions={{ includeSearch: false }}
              >
                {title}
              </Link>
            ))}
          </nav>
          <Outlet />
        </div>
      )}
    </Page>
  )
}
