import type { ContextEntry } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Tooltip } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { chatQuery, scopesQuery } from '../../shared/queries/chats.ts'
import { randomId } from '../../ui/random-id.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { DocumentPanel } from '../documents/index.ts'
import { ask } from './ask.ts'
import { type Turn, useConversations } from './conversation.ts'
import { HistoryMenu } from './history-menu.tsx'
import type { Range } from './passage.ts'
import { QuestionBox } from './question-box.tsx'
import { TurnList } from './turn-list.tsx'

const from = '/signed-in/projects/$projectId/chats/$chatId/playground'

export const PlaygroundPage = createLazyRoute(from)({ component: Playground })

/** The tab where users ask a chat and open the cited documents. */
function Playground() {
  const { projectId, chatId } = useParams({ from })
  const { session, question, file, chunk, at } = useSearch({ from })
  const navigate = useNavigate({ from: '/projects/$projectId/chats/$chatId/playground' })
  const { data: chat } = useQuery(chatQuery(chatId))
  const { data: scopes } = useQuery(scopesQuery(chatId))
  const conversations = useConversations(chatId)
  const [fresh] = useState(() => randomId())
  const sessionId = session ?? conversations[0]?.sessionId ?? fresh
  const turns = conversations.find((one) => one.sessionId === sessionId)?.turns ?? []
  const last = turns.at(-1)

  const toSession = (id: string) =>
    navigate({ search: { session: id, file: undefined, chunk: undefined, at: undefined } })
  const send = (asked: Pick<Turn, 'request' | 'isDraft'>) => {
    const request = { ...asked.request, session_id: sessionId }
    void ask(chatId, sessionId, { ...asked, request })
    if (session === undefined)
      void navigate({ search: (old) => ({ ...old, question: undefined, session: sessionId }), replace: true })
  }
  const open = (entry: ContextEntry, range: Range | undefined) =>
    navigate({
      search: {
        session: sessionId,
        file: entry.file_id,
        chunk: entry.chunk_id,
        at: range && `${range.start}-${range.end}`,
      },
      replace: file !== undefined,
    })
  const close = () =>
    navigate({ search: (old) => ({ ...old, file: undefined, chunk: undefined, at: undefined }) })

  const history = (
    <HistoryMenu
      projectId={projectId}
      conversations={conversations}
      current={sessionId}
      onOpen={toSession}
      onNew={() => toSession(randomId())}
    />
  )

  return (
    <Tooltip.Provider delayDuration={150}>
      <div className="flex min-h-0 min-w-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          {turns.length > 0 ? (
            <TurnList turns={turns} chatId={chatId} onOpen={open} onRetry={send}>
              {history}
            </TurnList>
          ) : (
            <Beginning projectId={projectId} chatId={chatId} fileCount={chat?.file_count}>
              {conversations.length > 0 && history}
            </Beginning>
          )}
          <div className="shrink-0 px-4 pb-4">
            <div className="mx-auto max-w-3xl">
              {chat && (
                <QuestionBox
                  chat={chat}
                  scopes={scopes ?? []}
                  suggestion={question}
                  isBusy={last?.state === 'waiting' || last?.state === 'streaming'}
                  onAsk={send}
                />
              )}
            </div>
          </div>
        </div>
        {file !== undefined && (
          <DocumentPanel chatId={chatId} fileId={file} chunkId={chunk} at={at} onClose={close} key={file} />
        )}
      </div>
    </Tooltip.Provider>
  )
}

/** Shown before the first question of a conversation. */
function Beginning({
  projectId,
  chatId,
  fileCount,
  children,
}: {
  projectId: string
  chatId: string
  fileCount: number | undefined
  children: ReactNode
}) {
  return (
    <div className="flex min-h-0 flex-1 overflow-auto">
      {fileCount === 0 ? (
        <EmptyState title="The chat has no files yet">
          <p>
            Answers come from the files of the chat.{' '}
            <Link
              to="/projects/$projectId/chats/$chatId/files"
              params={{ projectId, chatId }}
              className="link"
            >
              Upload files
            </Link>{' '}
            first, then ask about them here.
          </p>
          {children}
        </EmptyState>
      ) : (
        <EmptyState title="Ask the first question">
          <p>
            Each sentence of an answer has the number of its passage. Hover over it to read the passage, click
            it to open the document. Each question is sent with the earlier questions of its conversation.
          </p>
          {children}
        </EmptyState>
      )}
    </div>
  )
}
