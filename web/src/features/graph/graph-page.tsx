import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useParams } from '@tanstack/react-router'
import { chatsQuery } from '../../shared/queries/chats.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { GraphScreen } from './graph-screen.tsx'
import { useGraphSearch } from './use-graph-search.ts'

export const GraphPage = createLazyRoute('/signed-in/projects/$projectId/graph')({ component: Graph })

/** The screen of the graph of a chat: documents, chunks and relationships. */
function Graph() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' })
  const { search } = useGraphSearch()
  const { data: chats, error, refetch } = useQuery(chatsQuery(projectId))
  const chat = chats?.find(({ chat_id }) => chat_id === search.chat) ?? (search.chat ? undefined : chats?.[0])
  if (chats && chat) return <GraphScreen key={chat.chat_id} projectId={projectId} chats={chats} chat={chat} />
  return (
    <Page title="Graph" fill>
      <QueryState query={{ data: chats, error, refetch }} name="the chats" fill>
        {() => (
          <EmptyState title={search.chat ? 'This chat is not in the project' : 'No chats yet'}>
            <p>
              A chat holds documents. The graph shows their chunks, and which chunks explain, support or
              introduce one another.
            </p>
            <Link to="/projects/$projectId/chats" params={{ projectId }} className={buttonClass('primary')}>
              Go to the chats
            </Link>
          </EmptyState>
        )}
      </QueryState>
    </Page>
  )
}
