import type { Chat } from '@cairn/sdk'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { plural } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { Ago } from '../../ui/time.tsx'
import { differentSettings } from './setting-fields.ts'
import { SettingsDifference } from './settings-difference.tsx'
import { useChatChange } from './use-chat-change.ts'

/** The published settings, their difference from the draft, and buttons to publish and unpublish. */
export function PublishSettings({ chat }: { chat: Chat }) {
  const { chat_id: chatId, published_settings: published, settings: draft } = chat
  const publish = useChatChange(() => client.console.chats.publish(chatId))
  const unpublish = useChatChange(() => client.console.chats.unpublish(chatId))
  const [asking, setAsking] = useState(false)
  const names = published ? differentSettings(published, draft) : []
  const isSame = published !== null && names.length === 0
  return (
    <Section
      title="Published"
      actions={
        <>
          {published && <Button onClick={() => setAsking(true)}>Unpublish…</Button>}
          <Button
            variant={isSame ? 'default' : 'primary'}
            disabled={isSame}
            busy={publish.isPending && 'Publishing…'}
            onClick={() => publish.mutate()}
          >
            Publish the draft
          </Button>
        </>
      }
    >
      {publish.error && <ErrorNotice error={publish.error} title="The draft could not be published" />}
      {published === null ? (
        <p className="text-fg-2">
          Nothing is published. Keys and users get no answers until you publish the draft.
        </p>
      ) : isSame ? (
        <p className="text-fg-2">
          The draft is published
          {chat.published_at && (
            <>
              {' '}
              since <Ago at={chat.published_at} />
            </>
          )}
          .
        </p>
      ) : (
        <>
          <p className="text-fg-2">
            The draft differs in {plural(names.length, 'setting')} from the settings published{' '}
            {chat.published_at && <Ago at={chat.published_at} />}.
          </p>
          <SettingsDifference from={published} to={draft} names={names} titles={['Published', 'Draft']} />
        </>
      )}
      <ConfirmDialog
        title={`Unpublish ${chat.title}?`}
        consequences="Keys and users get no answers from this chat until its settings are published again. The draft, the files and the keys are kept."
        action="Unpublish"
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => unpublish.mutateAsync()}
      />
    </Section>
  )
}
