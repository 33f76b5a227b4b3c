import type { TracePreview } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Download, FlaskConical, Gavel, Tag, Trash2, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { client } from '../../../shared/client.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { plural } from '../../../ui/format.ts'
import { startBatch } from '../../scorers/index.ts'
import { forgetTraces } from '../queries.ts'
import { AddToSuite } from './add-to-suite.tsx'
import { ExportTraces } from './export-traces.tsx'
import { TagTraces } from './tag-traces.tsx'

/** The actions on the selected traces, below the list. */
export function SelectionBar({
  projectId,
  traces,
  onClear,
}: {
  projectId: string
  traces: readonly TracePreview[]
  onClear: () => void
}) {
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<'tag' | 'score' | 'suite' | 'export' | 'delete'>()
  const close = () => setAsked(undefined)
  const ids = traces.map(({ trace_id }) => trace_id)
  const scores = traces.filter(({ scores }) => scores.length > 0).length
  return (
    <section
      aria-label="Selected traces"
      className="flex flex-wrap items-center gap-1.5 border-t bg-surface px-3 py-2"
    >
      <span role="status" className="mr-2 font-medium tabular-nums">
        {plural(traces.length, 'trace')} selected
      </span>
      <Action icon={<Tag size={14} />} onClick={() => setAsked('tag')}>
        Tag
      </Action>
      <Action icon={<Gavel size={14} />} onClick={() => setAsked('score')}>
        Score
      </Action>
      <Action icon={<FlaskConical size={14} />} onClick={() => setAsked('suite')}>
        Add to a suite
      </Action>
      <Action icon={<Download size={14} />} onClick={() => setAsked('export')}>
        Export
      </Action>
      <Action icon={<Trash2 size={14} />} isDangerous onClick={() => setAsked('delete')}>
        Delete
      </Action>
      <span className="ml-auto">
        <IconButton label="Clear the selection" onClick={onClear}>
          <X size={14} />
        </IconButton>
      </span>
      {asked === 'tag' && <TagTraces projectId={projectId} traces={traces} onClose={close} />}
      {asked === 'score' && (
        <startBatch.Component projectId={projectId} view={{ trace_id: ids }} onClose={close} />
      )}
      {asked === 'suite' && <AddToSuite projectId={projectId} traceIds={ids} onClose={close} />}
      {asked === 'export' && <ExportTraces projectId={projectId} traceIds={ids} onClose={close} />}
      {asked === 'delete' && (
        <ConfirmDialog
          title={`Delete ${plural(traces.length, 'trace')}?`}
          consequences={`This deletes ${plural(traces.length, 'trace')} with all spans${scores > 0 ? ` and the scores of ${plural(scores, 'trace')}` : ''}. Totals and charts no longer include them. This cannot be undone.`}
          action={`Delete ${plural(traces.length, 'trace')}`}
          open
          onClose={close}
          onConfirm={async () => {
            await client.traces.deleteMatching(projectId, { trace_id: ids })
            forgetTraces(queryClient, projectId, ids)
            onClear()
          }}
        />
      )}
    </section>
  )
}

function Action({
  icon,
  isDangerous = false,
  onClick,
  children,
}: {
  icon: ReactNode
  isDangerous?: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Button variant={isDangerous ? 'danger' : 'default'} onClick={onClick}>
      <span aria-hidden="true">{icon}</span>
      {children}
    </Button>
  )
}
