import type { CreateRelationship as Request } from '@cairn/sdk'
import { useCallback, useState } from 'react'
import { client } from '../../shared/client.ts'
import { Field, Select } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { NodePicker } from './finder.tsx'
import { type Item, labelOf } from './model.ts'
import { relationshipTypes } from './palette.ts'
import type { PanelProps } from './panel.ts'
import { RelationshipForm } from './relationship-form.tsx'
import { useGraphChange } from './use-graph-change.ts'

type MadeType = Request['relationship_type']

const isMade = (type: string): type is MadeType => type !== 'HAS_CHUNK' && type !== 'NEXT'

/** The dialog that relates a chunk to another chunk of the chat, in the same or another document. */
export function CreateRelationship({
  chatId,
  model,
  source,
  onClose,
  selectRelationship,
}: PanelProps & { source: Item }) {
  const [target, setTarget] = useState<Item>()
  const [text, setText] = useState('')
  const [type, setType] = useState<MadeType>('SUPPORTS')
  const [draft, setDraft] = useState({ confidence: 1, reason: '' })
  const accept = useCallback(({ id, kind }: Item) => kind === 'chunk' && id !== source.id, [source.id])
  const create = useGraphChange(chatId, () =>
    client.graph.createRelationship({
      source_id: source.id,
      target_id: target?.id ?? '',
      relationship_type: type,
      properties: {
        confidence: draft.confidence,
        ...(draft.reason.trim() && { reason: draft.reason.trim() }),
      },
    }),
  )
  const send = () =>
    create.mutate(undefined, {
      onSuccess: ({ id }) => {
        onClose()
        selectRelationship(id)
      },
    })
  return (
    <FormDialog
      title="New relationship"
      onClose={onClose}
      sending={{ ...create, mutate: send }}
      action="Create relationship"
      busy="Relating…"
      disabled={!target}
    >
      <p className="text-fg-2">
        From <q>{labelOf(source)}</q>
      </p>
      <Field label="Type">
        {(ids) => (
          <Select {...ids} value={type} onChange={(event) => setType(event.target.value as MadeType)}>
            {relationshipTypes.filter(isMade).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        )}
      </Field>
      <div className="flex flex-col gap-1">
        <span className="font-medium">To the chunk</span>
        <NodePicker
          model={model}
          label="Find the other chunk"
          text={text}
          onText={(next) => {
            setText(next)
            setTarget(undefined)
          }}
          onPick={(item) => {
            setTarget(item)
            setText(labelOf(item))
          }}
          accept={accept}
        />
        {target && <p className="line-clamp-3 text-sm text-fg-2">{target.text}</p>}
      </div>
      <RelationshipForm draft={draft} onChange={setDraft} />
    </FormDialog>
  )
}
