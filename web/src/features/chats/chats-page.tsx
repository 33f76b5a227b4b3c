import type { Chat } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { chatsQuery } from '../../shared/queries/chats.ts'
import { Button } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { formatCount } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Ago } from '../../ui/time.tsx'
import { AccessBadge, PublicationBadge } from './chat-state.tsx'
import { CreateChat } from './create-chat.tsx'

export const ChatsPage = createLazyRoute('/signed-in/projects/$projectId/chats')({ component: Chats })

const columns: readonly Column<Chat>[] = [
  {
    id: 'title',
    title: 'Title',
    width: 280,
    grow: true,
    cell: ({ chat_id: chatId, project_id: projectId, title }) => (
      <Link
        to="/projects/$projectId/chats/$chatId/playground"
        params={{ projectId, chatId }}
        className="font-medium"
        title={title}
        tabIndex={-1}
      >
        {title}
      </Link>
    ),
  },
  { id: 'files', title: 'Files', width: 88, align: 'right', cell: (chat) => formatCount(chat.file_count) },
  { id: 'state', title: 'Settings', width: 148, cell: (chat) => <PublicationBadge chat={chat} /> },
  { id: 'access', title: 'API access', width: 108, cell: (chat) => <AccessBadge chat={chat} /> },
  { id: 'model', title: 'Model', width: 160, cell: ({ settings }) => settings.selected_model },
  { id: 'updated', title: 'Updated', width: 116, cell: ({ updated_at }) => <Ago at={updated_at} /> },
  { id: 'id', title: 'Id', width: 260, hidden: true, cell: ({ chat_id }) => <CopyId id={chat_id} /> },
]

/** The screen of all chats of a project. */
function Chats() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/chats' })
  const { data: chats, error, refetch } = useQuery(chatsQuery(projectId))
  const [creating, setCreating] = useState(false)
  const navigate = useNavigate()
  const open = ({ chat_id: chatId }: Chat) =>
    navigate({ to: '/projects/$projectId/chats/$chatId/playground', params: { projectId, chatId } })
  const create = (
    <Button variant="primary" className="self-start" onClick={() => setCreating(true)}>
      New chat
    </Button>
  )
  return (
    <Page title="Chats" actions={chats && chats.length > 0 && create} fill>
      <QueryTable
        query={{ data: chats, error, refetch }}
        name="chats"
        label="Chats"
        columns={columns}
        rowKey={({ chat_id }) => chat_id}
        onOpen={open}
        empty={
          <EmptyState title="No chats yet">
            <p>
              A chat holds documents and answers questions about them. Each sentence of an answer cites its
              passage. Upload files, try questions in the playground, then create a key and ask over the API.
            </p>
            {create}
          </EmptyState>
        }
      />
      <CreateChat projectId={projectId} open={creating} onClose={() => setCreating(false)} />
    </Page>
  )
}
