import type { Chat, Publication } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { formatTime } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { EmptyNote } from '../../ui/states/empty-state.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { publicationHistoryQuery } from './queries.ts'
import { differentSettings, settingFields, settingText } from './setting-fields.ts'
import { SettingsDifference } from './settings-difference.tsx'
import { useChatChange } from './use-chat-change.ts'

/** The last published settings with the changes of each publication; each can become the draft again. */
export function Publications({ chat }: { chat: Chat }) {
  const { data, error, refetch } = useQuery(publicationHistoryQuery(chat.chat_id))
  return (
    <Section title="Publication history">
      <QueryState
        query={{ data, error, refetch }}
        name="the history"
        skeleton={<Skeleton className="h-8 w-full" />}
        empty={<EmptyNote>No publications yet. The last ten are listed here.</EmptyNote>}
      >
        {(data) => (
          <ol className="flex flex-col divide-y rounded-md border">
            {data.map((publication, index) => (
              <PublicationRow
                key={publication.published_at}
                chat={chat}
                publication={publication}
                earlier={data[index + 1]}
              />
            ))}
          </ol>
        )}
      </QueryState>
    </Section>
  )
}

function PublicationRow({
  chat,
  publication: { published_at: at, settings },
  earlier,
}: {
  chat: Chat
  publication: Publication
  earlier: Publication | undefined
}) {
  const restore = useChatChange(() => client.console.chats.update(chat.chat_id, { settings }))
  const names = earlier ? differentSettings(earlier.settings, settings) : []
  const isDraft = differentSettings(settings, chat.settings).length === 0
  const labels = settingFields.filter(({ name }) => names.includes(name)).map(({ label }) => label)
  return (
    <li>
      <details>
        <summary className="flex min-h-9 flex-wrap items-center gap-x-3 px-3 py-1 hover:bg-hover">
          <time dateTime={at} className="whitespace-nowrap tabular-nums">
            {formatTime(at)}
          </time>
          <span className="min-w-0 flex-1 truncate text-fg-3">
            {labels.length > 0 ? labels.join(', ') : earlier ? 'No change' : settings.selected_model}
          </span>
          {at === chat.published_at && <StatusBadge kind="success">Published now</StatusBadge>}
        </summary>
        <div className="flex flex-col gap-3 border-t p-3">
          {earlier && names.length > 0 && (
            <SettingsDifference
              from={earlier.settings}
              to={settings}
              names={names}
              titles={['Before', 'Published']}
            />
          )}
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
            {settingFields.map(({ name, label }) => (
              <div key={name} className="contents">
                <dt className="text-fg-2">{label}</dt>
                <dd className="break-words whitespace-pre-wrap">{settingText(settings, name)}</dd>
              </div>
            ))}
          </dl>
          {restore.error && <ErrorNotice error={restore.error} />}
          <Button
            className="self-start"
            disabled={isDraft}
            busy={restore.isPending && 'Saving…'}
            onClick={() => restore.mutate()}
          >
            {isDraft ? 'Same as the draft' : 'Use as draft'}
          </Button>
        </div>
      </details>
    </li>
  )
}
