import type { Chat } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { chatsQuery } from '../../shared/queries/chats.ts'
import { plural } from '../../ui/format.ts'
import { QueryState } from '../../ui/states/query-state.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { OverviewSection } from './overview-section.tsx'

const shown = 8

/** The first chats of the project, with their numbers of documents. */
export function ChatList({ projectId }: { projectId: string }) {
  const { data: chats, error, refetch } = useQuery(chatsQuery(projectId))
  return (
    <OverviewSection
      title="Chats"
      more={
        <Link to={`/projects/${projectId}/chats` as string} className="link">
          {chats && chats.length > shown ? `All ${plural(chats.length, 'chat')}` : 'Chats'}
        </Link>
      }
    >
      <QueryState
        query={{ data: chats, error, refetch }}
        name="the chats"
        rows={3}
        empty={
          <p className="border-t py-3 text-fg-2">
            None yet. A chat answers questions from documents, with citations.
          </p>
        }
      >
        {(chats) => (
          <ul className="border-t">
            {chats.slice(0, shown).map((chat) => (
              <ChatRow key={chat.chat_id} projectId={projectId} chat={chat} />
            ))}
          </ul>
        )}
      </QueryState>
    </OverviewSection>
  )
}

function ChatRow({ projectId, chat }: { projectId: string; chat: Chat }) {
  return (
    <li className="border-b">
      <Link
        to={`/projects/${projectId}/chats/${chat.chat_id}` as string}
        className="flex h-8 items-center gap-3 hover:bg-hover"
      >
        <span className="min-w-0 flex-1 truncate font-medium" title={chat.title}>
          {chat.title}
        </span>
        <span className="text-fg-2 tabular-nums">{plural(chat.file_count, 'document')}</span>
        <span className="w-20 text-right text-fg-3 max-sm:hidden">
          <Ago at={chat.updated_at} />
        </span>
        <span className="w-[84px] shrink-0">
          {chat.published ? (
            <StatusBadge kind="success">Published</StatusBadge>
          ) : (
            <StatusBadge kind="info">Draft</StatusBadge>
          )}
        </span>
      </Link>
    </li>
  )
}
