import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, useParams } from '@tanstack/react-router'
import { scopesQuery } from '../../shared/queries/chats.ts'
import { Section } from '../../ui/page.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { ScopeEditor } from './scope-editor.tsx'

const from = '/signed-in/projects/$projectId/chats/$chatId/scopes'

export const ScopesPage = createLazyRoute(from)({ component: Scopes })

/** The tab with the scopes of a chat. */
function Scopes() {
  const { chatId } = useParams({ from })
  const { data: scopes, error, refetch } = useQuery(scopesQuery(chatId))
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4">
      <Section
        title="Scopes"
        note="Scopes are values that a file gets at upload, such as team or year. A question with scope filters is answered only from files with exactly these values. Without a configuration any name is accepted."
      >
        <QueryState query={{ data: scopes, error, refetch }} name="the scopes" rows={3}>
          {(scopes) => <ScopeEditor chatId={chatId} scopes={scopes} key={JSON.stringify(scopes)} />}
        </QueryState>
      </Section>
    </div>
  )
}
