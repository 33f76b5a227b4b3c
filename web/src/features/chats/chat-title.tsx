import type { Chat } from '@cairn/sdk'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { messageOf } from '../../ui/states/error-notice.tsx'
import { useChatChange } from './use-chat-change.ts'

/** Renames the chat. */
export function ChatTitle({ chat }: { chat: Chat }) {
  const [title, setTitle] = useState(chat.title)
  const save = useChatChange(() => client.console.chats.update(chat.chat_id, { title: title.trim() }))
  return (
    <Section title="Title" actions={<CopyId id={chat.chat_id} />}>
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Field
          label="Title of the chat"
          className="min-w-0 flex-1"
          error={save.error ? messageOf(save.error) : undefined}
        >
          {(ids) => (
            <Input
              {...ids}
              value={title}
              maxLength={200}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          disabled={title.trim() === '' || title.trim() === chat.title}
          busy={save.isPending && 'Saving…'}
        >
          Rename
        </Button>
      </form>
    </Section>
  )
}
