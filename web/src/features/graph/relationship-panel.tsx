import type { GraphRelationship } from '@cairn/sdk'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatScore } from '../../ui/format.ts'
import { SidePanel } from '../../ui/side-panel.tsx'
import { EditRelationship } from './edit-relationship.tsx'
import { confidenceOf, labelOf, lineOf } from './model.ts'
import type { PanelProps } from './panel.ts'
import { Properties } from './properties.tsx'
import { TypeLabel } from './type-label.tsx'
import { useGraphChange } from './use-graph-change.ts'

/** The panel of a relationship: source, target, confidence and reason. */
export function RelationshipPanel({
  chatId,
  model,
  relationship,
  onClose,
  selectNode,
}: PanelProps & { relationship: GraphRelationship }) {
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const { id, type, source, target, properties } = relationship
  const remove = useGraphChange(chatId, () => client.graph.deleteRelationship(id))
  const isFixed = type === 'HAS_CHUNK' || type === 'NEXT'
  const ends = [source, target].map((end) => model.byId.get(end))
  const reason = typeof properties.reason === 'string' ? properties.reason : ''
  return (
    <SidePanel label={type} onClose={onClose} narrow>
      <div className="flex flex-col gap-4 p-4">
        <ol className="flex flex-col gap-2">
          {ends.map((end, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: source and target
            <li key={index} className="flex flex-col gap-2">
              {index === 1 && <TypeLabel type={type} />}
              <button
                type="button"
                className="rounded-md border p-2 text-left hover:bg-hover"
                onClick={() => end && selectNode(end.id)}
              >
                <span className="block text-sm text-fg-3">{index === 0 ? 'Source' : 'Target'}</span>
                <span className="line-clamp-6 break-words">{end && lineOf(end)}</span>
              </button>
            </li>
          ))}
        </ol>
        {isFixed ? (
          <p className="text-fg-2">Each chunk has this relationship. It is deleted with its chunk.</p>
        ) : asked === 'edit' ? (
          <EditRelationship chatId={chatId} relationship={relationship} onClose={() => setAsked(undefined)} />
        ) : (
          <>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
              <dt className="text-fg-2">Confidence</dt>
              <dd className="tabular-nums">{formatScore(confidenceOf(relationship))}</dd>
              <dt className="text-fg-2">Made by</dt>
              <dd>{madeBy(properties)}</dd>
              <dt className="text-fg-2">Reason</dt>
              <dd className="break-words whitespace-pre-wrap">{reason || 'None'}</dd>
            </dl>
            <div className="flex flex-wrap gap-2">
              <Button onClick={() => setAsked('edit')}>
                <Pencil size={14} aria-hidden="true" />
                Edit
              </Button>
              <Button variant="danger" onClick={() => setAsked('delete')}>
                <Trash2 size={14} aria-hidden="true" />
                Delete
              </Button>
            </div>
          </>
        )}
        <Properties values={{ id, ...properties }} without={['confidence', 'reason']} />
      </div>
      <ConfirmDialog
        title={`Delete this ${type} relationship?`}
        action="Delete relationship"
        open={asked === 'delete'}
        onClose={() => setAsked(undefined)}
        onConfirm={async () => {
          await remove.mutateAsync(undefined)
          onClose()
        }}
        consequences={
          <p>
            This deletes the relationship “{ends[0] && labelOf(ends[0])}” {type} “
            {ends[1] && labelOf(ends[1])}”. Both chunks are kept.
            {properties.ai_generated === true &&
              ' The server created it, and may create it again when the document changes.'}
          </p>
        }
      />
    </SidePanel>
  )
}

function madeBy({ ai_generated, method, model }: GraphRelationship['properties']): string {
  if (ai_generated !== true) return 'People'
  return method === 'model' ? `The model ${String(model)}` : 'The server’s local method'
}
