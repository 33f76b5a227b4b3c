import { useQuery } from '@tanstack/react-query'
import { chatsQuery } from '../../shared/queries/chats.ts'
import { Checkbox, Field, Select } from '../../ui/field.tsx'
import type { Draft } from './registration.ts'

/** Chooses the parent chat, whose published settings and files answer users. */
export function ParentField({
  projectId,
  draft,
  onChange,
  error,
}: {
  projectId: string
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
  error: string | undefined
}) {
  const { data: chats = [] } = useQuery(chatsQuery(projectId))
  const chosen = chats.find(({ chat_id }) => chat_id === draft.chatId)
  return (
    <div className="flex flex-col gap-2">
      <Field label="Parent chat" error={error} hint="Its published settings and files answer every user.">
        {(ids) => (
          <Select
            {...ids}
            value={draft.chatId}
            onChange={(event) => onChange({ chatId: event.target.value })}
          >
            <option value="">New chat, published</option>
            {chats.map(({ chat_id, title, published }) => (
              <option key={chat_id} value={chat_id}>
                {title}
                {!published && ' (not published)'}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {chosen ? (
        <p className="text-sm text-fg-2">
          {chosen.published_settings === null
            ? 'It is not published. Questions of users are rejected until it is.'
            : chosen.published_settings.show_sources_to_users
              ? 'It shows users the passages that its answers cite.'
              : 'It cites your documents as “shared document”, without a snippet.'}
        </p>
      ) : (
        <Checkbox
          checked={draft.showSources}
          onChange={(event) => onChange({ showSources: event.target.checked })}
        >
          Show users the file names and snippets of your documents. Otherwise answers cite them as “shared
          document”.
        </Checkbox>
      )}
    </div>
  )
}
