import type { Chat } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { serverAddress } from '../../shared/client.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Select } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Filters } from './filters.tsx'
import { GraphViews } from './graph-views.tsx'
import { filesPath } from './panel.ts'
import { graphQuery } from './queries.ts'
import { useGraphSearch } from './use-graph-search.ts'
import { useRelating } from './use-relating.ts'

/** The graph of one chat. */
export function GraphScreen({
  projectId,
  chats,
  chat: { chat_id: chatId },
}: {
  projectId: string
  chats: readonly Chat[]
  chat: Chat
}) {
  const { change } = useGraphSearch()
  const { data: model, error, refetch } = useQuery(graphQuery(chatId))
  const relating = useRelating(chatId)
  return (
    <Page
      title="Graph"
      actions={
        <Select
          aria-label="Chat"
          className="max-w-64"
          value={chatId}
          onChange={(event) => change({ chat: event.target.value, ...nothingOpen })}
        >
          {chats.map(({ chat_id, title }) => (
            <option key={chat_id} value={chat_id}>
              {title}
            </option>
          ))}
        </Select>
      }
      bar={<Filters model={model} />}
      fill
    >
      <QueryState
        query={{ data: model, error, refetch }}
        name="documents, chunks and relationships"
        fill
        skeleton={<p className="m-auto p-6 text-fg-2">Loading documents, chunks and relationships…</p>}
      >
        {(model) =>
          model.items.length === 0 ? (
            <NoDocuments projectId={projectId} chatId={chatId} />
          ) : (
            <div className="flex min-h-0 min-w-0 flex-1">
              <GraphViews projectId={projectId} chatId={chatId} model={model} relating={relating} />
            </div>
          )
        }
      </QueryState>
    </Page>
  )
}

const nothingOpen = { node: undefined, relationship: undefined, q: undefined, show: undefined }

function NoDocuments({ projectId, chatId }: { projectId: string; chatId: string }) {
  return (
    <EmptyState title="This chat has no documents">
      <p>
        Each document is drawn with its chunks around it. Seconds after an upload, lines show which chunks
        explain, support, elaborate, introduce or conclude one another.
      </p>
      <Link to={filesPath(projectId, chatId)} className={buttonClass('primary')}>
        Upload files
      </Link>
      <CodeBlock
        label="Upload a document"
        code={`curl -sS "${serverAddress}/v1/${chatId}/upload_with_scopes" \\
  -H "Authorization: Bearer $KEY" -F file=@docs/guides/sample/handbook.md
`}
      />
    </EmptyState>
  )
}
