import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, useParams } from '@tanstack/react-router'
import { scopesQuery } from '../../shared/queries/chats.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Section, SkeletonRows } from '../../ui/page.tsx'
import { ScopeEditor } from './scope-editor.tsx'

const from = '/signed-in/projects/$projectId/chats/$chatId/scopes'

export const ScopesPage = createLazyRoute(from)({ component: Scopes })

/** Which scopes the documents of a chat carry. */
function Scopes() {
  const { chatId } = useParams({ from })
  const { data: scopes, error, refetch } = useQuery(scopesQuery(chatId))
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4">
      <Section
        title="Scopes"
        note="Names and types of values that each file carries from its upload on, such as team or year. A question with scope filters is answered from files with exactly those values. Without a configuration any name goes."
      >
        {error ? (
          <ErrorNotice error={error} title="The scopes could not be read" retry={refetch} />
        ) : scopes ? (
          <ScopeEditor chatId={chatId} scopes={scopes} key={JSON.stringify(scopes)} />
        ) : (
          <SkeletonRows rows={3} label="Loading the scopes" />
        )}
      </Section>
    </div>
  )
}
