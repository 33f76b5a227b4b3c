import type { Trace } from '@cairn/sdk'
import { useMemo, useState } from 'react'
import { serverAddress } from '../../shared/client.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatBytes } from '../../ui/format.ts'
import { Snippets } from '../../ui/snippets.tsx'
import { Switch } from '../../ui/switch.tsx'
import { type CodeTask, traceSnippets } from './trace-snippets.ts'

/** Longer code is not shown: the raw JSON of such a trace is of more use. */
const longest = 200_000

const tasks = [
  { name: 'read', title: 'Read it' },
  { name: 'record', title: 'Record it again' },
] as const

const descriptions: Record<CodeTask, string> = {
  read: 'Replace YOUR_API_KEY with a key of this project that has the permission read.',
  record: 'Replace YOUR_API_KEY with a key that has the permission ingest. The copy gets a new id.',
}

/** Code that reads a trace, or records an equal one, for example in another project. */
export function TraceCode({
  projectId,
  trace,
  onClose,
}: {
  projectId: string
  trace: Trace
  onClose: () => void
}) {
  const [task, setTask] = useState<CodeTask>('read')
  const snippets = useMemo(
    () => traceSnippets({ address: serverAddress, projectId, trace }, task),
    [projectId, trace, task],
  )
  const size = Math.max(...snippets.map(({ code }) => code.length))
  return (
    <Dialog title="This trace in code" description={descriptions[task]} open onClose={onClose} wide>
      <div className="flex min-w-0 flex-col items-start gap-3">
        <Switch label="The code should" options={tasks} value={task} onChange={setTask} />
        {size > longest ? (
          <p className="text-fg-2">
            The trace is too large to be shown as code ({formatBytes(size)}). Use its raw JSON.
          </p>
        ) : (
          <div className="w-full min-w-0">
            <Snippets key={task} label="The trace" snippets={snippets} />
          </div>
        )}
      </div>
    </Dialog>
  )
}
