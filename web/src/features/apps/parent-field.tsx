import { useQuery } from '@tanstack/react-query'
import { chatsQuery } from '../../shared/queries/chats.ts'
import { Checkbox, Field, Select } from '../../ui/field.tsx'
import type { Draft } from './registration.ts'

/** The chat whose published files and settings users get. */
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
      <Field
        label="Parent chat"
        error={error}
        hint="Its published settings answer, and its published files are there for every user."
      >
        {(ids) => (
          <Select
            {...ids}
            value={draft.chatId}
            onChange={(event) => onChange({ chatId: event.target.value })}
          >
            <option value="">A new one, published</option>
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
            ? 'It is not published: users are refused until it is.'
            : chosen.published_settings.show_sources_to_users
              ? 'It shows users the passages that answers are taken from.'
              : 'It cites your documents as “shared document”, without a snippet.'}
        </p>
      ) : (
        <Checkbox
          checked={draft.showSources}
          onChange={(event) => onChange({ showSources: event.target.checked })}
        >
          Show users the sources: file name and snippet of your documents. Otherwise they are cited as “shared
          document”.
        </Checkbox>
      )}
    </div>
  )
}
