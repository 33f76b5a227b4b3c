import type { Trace } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Braces, Code, Ellipsis, FlaskConical, Gavel, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client, serverAddress } from '../../shared/client.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { plural } from '../../ui/format.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { MakeCase } from './make-case.tsx'
import { forgetTraces } from './queries.ts'
import { ScoreTrace } from './score-trace.tsx'
import { TraceCode } from './trace-code.tsx'

/** The actions on a trace. */
export function TraceActions({
  projectId,
  trace,
  onDeleted,
}: {
  projectId: string
  trace: Trace
  onDeleted: () => void
}) {
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<'score' | 'case' | 'code' | 'delete'>()
  const close = () => setAsked(undefined)
  const rawJson = `${serverAddress}/v1/${encodeURIComponent(projectId)}/analytics/traces/${encodeURIComponent(trace.trace_id)}`
  return (
    <>
      <Button onClick={() => setAsked('score')}>
        <Gavel size={14} aria-hidden="true" />
        <span className="max-sm:sr-only">Score</span>
      </Button>
      <Button onClick={() => setAsked('case')} title="Create a test case from this trace">
        <FlaskConical size={14} aria-hidden="true" />
        <span className="max-sm:sr-only">Create a test case</span>
      </Button>
      <Menu
        trigger={
          <IconButton label="More">
            <Ellipsis size={16} />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => window.open(rawJson, '_blank', 'noopener')}>
          <Braces size={14} aria-hidden="true" />
          Raw JSON
        </MenuItem>
        <MenuItem onSelect={() => setAsked('code')}>
          <Code size={14} aria-hidden="true" />
          Copy as code…
        </MenuItem>
        <MenuLine />
        <MenuItem danger onSelect={() => setAsked('delete')}>
          <Trash2 size={14} aria-hidden="true" />
          Delete trace…
        </MenuItem>
      </Menu>
      {asked === 'score' && <ScoreTrace projectId={projectId} trace={trace} onClose={close} />}
      {asked === 'case' && <MakeCase projectId={projectId} trace={trace} onClose={close} />}
      {asked === 'code' && <TraceCode projectId={projectId} trace={trace} onClose={close} />}
      {asked === 'delete' && (
        <ConfirmDialog
          title="Delete this trace?"
          consequences={`This deletes the trace ${trace.trace_id} with ${plural(trace.spans.length, 'span')} and ${plural(trace.scores.length, 'score')}. Totals and charts no longer include it. This cannot be undone.`}
          action="Delete trace"
          open
          onClose={close}
          onConfirm={async () => {
            await client.traces.delete(projectId, trace.trace_id)
            onDeleted()
            forgetTraces(queryClient, projectId, [trace.trace_id])
          }}
        />
      )}
    </>
  )
}
