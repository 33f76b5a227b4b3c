import { EmptyState } from '../../ui/states/empty-state.tsx'
import { FirstTrace } from '../start/index.ts'

/** In the place of a list without rows. */
export function NoTraces({ projectId, filtered }: { projectId: string; filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState title="No trace meets these filters">
        <p>Take one away above, or choose a longer period.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No traces yet">
      <p>
        A trace is one call of a model: what went in, what came out, how long it took and what it cost, with
        the steps in between. Answers of this project’s chats are traces too. This records one:
      </p>
      <FirstTrace projectId={projectId} />
    </EmptyState>
  )
}
