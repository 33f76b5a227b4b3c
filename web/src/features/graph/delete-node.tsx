import { client } from '../../shared/client.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { plural } from '../../ui/format.ts'
import { type Item, labelOf, type Model } from './model.ts'
import { useGraphChange } from './use-graph-change.ts'

/** Asks before a document or chunk is deleted, and lists the nodes that are deleted with it. */
export function DeleteNode({
  chatId,
  model,
  item,
  open,
  onClose,
  onDeleted,
}: {
  chatId: string
  model: Model
  item: Item
  open: boolean
  onClose: () => void
  onDeleted: () => void
}) {
  const remove = useGraphChange(chatId, () => client.graph.deleteNode(item.id))
  const confirm = async () => {
    await remove.mutateAsync(undefined)
    onDeleted()
  }
  const { chunks, relationships, isLast } = goesWith(model, item)
  return (
    <ConfirmDialog
      title={item.kind === 'document' ? `Delete ${item.text}?` : 'Delete this chunk?'}
      action={
        item.kind === 'document' ? 'Delete document' : isLast ? 'Delete chunk and document' : 'Delete chunk'
      }
      open={open}
      onClose={onClose}
      onConfirm={confirm}
      consequences={
        item.kind === 'document' ? (
          <p>
            This deletes the document, its {plural(chunks, 'chunk')} and{' '}
            {plural(relationships, 'relationship')}. Answers no longer use them. This cannot be undone.
          </p>
        ) : (
          <p>
            This deletes “{labelOf(item)}” and {plural(relationships, 'relationship')}.{' '}
            {isLast
              ? `It is the last chunk of ${model.byId.get(item.fileId)?.text}, which is deleted too.`
              : 'Its neighbours are linked to each other. Answers no longer use it.'}{' '}
            This cannot be undone.
          </p>
        )
      }
    />
  )
}

function goesWith(model: Model, { id, kind, fileId }: Item) {
  const chunks = model.items.filter((one) => one.fileId === fileId && one.kind === 'chunk')
  const nodes = kind === 'document' || chunks.length === 1 ? [fileId, ...chunks.map((one) => one.id)] : [id]
  const relationships = new Set(nodes.flatMap((one) => (model.ofNode.get(one) ?? []).map((each) => each.id)))
  return { chunks: chunks.length, relationships: relationships.size, isLast: chunks.length === 1 }
}
