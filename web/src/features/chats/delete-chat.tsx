import type { Chat } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { chatsQuery } from '../../shared/queries/chats.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { plural } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'

/** Deletes the chat and everything in it, after its title is typed. */
export function DeleteChat({ chat, projectId }: { chat: Chat; projectId: string }) {
  const [asking, setAsking] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const files = plural(chat.file_count, 'file')
  const remove = async () => {
    await client.console.chats.delete(chat.chat_id)
    queryClient.setQueryData(chatsQuery(projectId).queryKey, (chats) =>
      chats?.filter(({ chat_id }) => chat_id !== chat.chat_id),
    )
    await navigate({ to: '/projects/$projectId/chats', params: { projectId } })
    queryClient.removeQueries({ queryKey: ['chats', chat.chat_id] })
  }
  return (
    <Section title="Delete the chat">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-fg-2">Deletes {files} with their chunks and relationships, and the keys.</p>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Delete the chat…
        </Button>
      </div>
      <ConfirmDialog
        title={`Delete ${chat.title}?`}
        consequences={`This deletes the chat, ${files} with their chunks and relationships, its scopes, conversations and keys. The project keeps the traces of its answers. This cannot be undone.`}
        action="Delete the chat"
        name={chat.title}
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={remove}
      />
    </Section>
  )
}
