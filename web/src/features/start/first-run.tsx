import { Empty } from '../../ui/page.tsx'
import { RecordTrace } from './record-trace.tsx'

/** A project with nothing in it: how to put a first trace there. */
export function FirstRun({ projectId }: { projectId: string }) {
  return (
    <Empty title="Record a first trace">
      <p>
        A trace is one call of a model: what went in, what came out, how long it took and what it cost. One
        request records it.
      </p>
      <RecordTrace projectId={projectId} />
    </Empty>
  )
}
