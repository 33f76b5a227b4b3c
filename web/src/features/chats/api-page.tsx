import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useParams } from '@tanstack/react-router'
import { client, serverAddress } from '../../shared/client.ts'
import { chatQuery } from '../../shared/queries/chats.ts'
import { CopyId } from '../../ui/copy-button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { Snippets } from '../../ui/snippets.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { ChatKeys } from './chat-keys.tsx'
import { requestSnippets } from './snippets.ts'
import { useChatChange } from './use-chat-change.ts'

const from = '/signed-in/projects/$projectId/chats/$chatId/api'

export const ApiPage = createLazyRoute(from)({ component: ApiAccess })

/** API access of a chat: the switch, the keys, and code for a request. */
function ApiAccess() {
  const { projectId, chatId } = useParams({ from })
  const { data: chat } = useQuery(chatQuery(chatId))
  const change = useChatChange((enabled: boolean) =>
    client.console.chats.update(chatId, { api_access_enabled: enabled }),
  )
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-8 overflow-auto p-4">
      <Section title="API access" actions={<CopyId id={chatId} />}>
        {chat ? (
          <Checkbox
            role="switch"
            checked={change.isPending ? change.variables : chat.api_access_enabled}
            onChange={(event) => change.mutate(event.target.checked)}
          >
            Keys may use the chat over the API. The dashboard and the users of applications work either way.
          </Checkbox>
        ) : (
          <Skeleton className="h-5 w-96" />
        )}
        {change.error && <ErrorNotice error={change.error} title="API access could not be changed" />}
        {chat && !chat.published && (
          <p className="text-fg-2">
            Questions are rejected until the settings are{' '}
            <Link
              to="/projects/$projectId/chats/$chatId/settings"
              params={{ projectId, chatId }}
              className="link"
            >
              published
            </Link>
            .
          </p>
        )}
      </Section>
      <ChatKeys chatId={chatId} title={chat?.title ?? 'the chat'} />
      <Section title="Ask over the API" note="Replace YOUR_API_KEY with a key of this chat.">
        <Snippets
          label="The request"
          snippets={requestSnippets({
            address: serverAddress,
            chatId,
            question: { question: 'How many days of paid leave do new staff get?' },
            mode: 'whole',
          })}
        />
      </Section>
    </div>
  )
}
