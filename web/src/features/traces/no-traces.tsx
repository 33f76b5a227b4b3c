import { EmptyState } from '../../ui/states/empty-state.tsx'
import { FirstTrace } from '../start/index.ts'

/** The empty state of the list of traces. */
export function NoTraces({ projectId, filtered }: { projectId: string; filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState title="No trace matches these filters">
        <p>Remove a filter above, or choose a longer period.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No traces yet">
      <p>
        A trace is one model call with its input, output, time, cost and steps. Answers of this project’s
        chats are traces too. This command records one:
      </p>
      <FirstTrace projectId={projectId} />
    </EmptyState>
  )
}
