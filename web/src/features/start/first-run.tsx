import type { ReactNode } from 'react'
import { FirstTrace } from './first-trace.tsx'
import { SampleChat } from './sample-chat.tsx'

/** The first steps in an empty project: a first cited answer, and a first trace. */
export function FirstRun({ projectId }: { projectId: string }) {
  return (
    <div className="grid max-w-6xl gap-x-12 gap-y-8 lg:grid-cols-2">
      <Way title="Ask documents">
        <p>
          A chat answers questions from your documents and cites the passages. The sample is about a fictional
          ferry; you can delete it later.
        </p>
        <SampleChat projectId={projectId} />
      </Way>
      <Way title="Record calls of a model">
        <p>
          Your application sends the input and output of each model call. Cairn stores them, computes their
          cost, and shows slow and failed calls.
        </p>
        <FirstTrace projectId={projectId} />
      </Way>
    </div>
  )
}

function Way({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col items-start gap-3 text-fg-2" aria-label={title}>
      <h2 className="text-lg font-semibold text-fg">{title}</h2>
      {children}
    </section>
  )
}
