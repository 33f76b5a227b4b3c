import type { GraphRelationship } from '@cairn/sdk'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { confidenceOf } from './model.ts'
import { RelationshipForm } from './relationship-form.tsx'
import { useGraphChange } from './use-graph-change.ts'

/** Edits confidence and reason. The server replaces its own relationships at the next change of the document. */
export function EditRelationship({
  chatId,
  relationship,
  onClose,
}: {
  chatId: string
  relationship: GraphRelationship
  onClose: () => void
}) {
  const { id, properties } = relationship
  const isMade = properties.ai_generated === true
  const [draft, setDraft] = useState({
    confidence: confidenceOf(relationship),
    reason: typeof properties.reason === 'string' ? properties.reason : '',
  })
  const [keep, setKeep] = useState(isMade)
  const change = useGraphChange(chatId, () =>
    client.graph.updateRelationship(id, {
      confidence: draft.confidence,
      reason: draft.reason.trim() || null,
      ...(isMade && keep && { ai_generated: false }),
    }),
  )
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate(undefined, { onSuccess: onClose })
      }}
    >
      <RelationshipForm draft={draft} onChange={setDraft} />
      {isMade && (
        <Checkbox checked={keep} onChange={(event) => setKeep(event.target.checked)}>
          Keep it when the document changes. Otherwise the next change replaces it.
        </Checkbox>
      )}
      {change.error && <ErrorNotice error={change.error} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={change.isPending && 'Saving…'}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
