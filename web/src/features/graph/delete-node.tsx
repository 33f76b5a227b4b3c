import { client } from '../../client.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { plural } from '../../ui/format.ts'
import { type Item, labelOf, type Model } from './model.ts'
import { useGraphChange } from './use-graph-change.ts'

/** Asks before a document or a passage goes, and says what goes with it. */
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
  const { passages, relationships, isLast } = goesWith(model, item)
  return (
    <ConfirmDialog
      title={item.kind === 'document' ? `Delete ${item.text}?` : 'Delete this passage?'}
      action={
        item.kind === 'document'
          ? 'Delete document'
          : isLast
            ? 'Delete passage and document'
            : 'Delete passage'
      }
      open={open}
      onClose={onClose}
      onConfirm={confirm}
      what={
        item.kind === 'document' ? (
          <p>
            The document goes with its {plural(passages, 'passage')} and{' '}
            {plural(relationships, 'relationship')}. Answers no longer draw on it. This cannot be undone.
          </p>
        ) : (
          <p>
            “{labelOf(item)}” goes with its {plural(relationships, 'relationship')}
            {isLast
              ? `, and ${model.byId.get(item.fileId)?.text} with it: it is its last passage.`
              : '; its neighbours are joined. Answers no longer draw on it.'}{' '}
            This cannot be undone.
          </p>
        )
      }
    />
  )
}

function goesWith(model: Model, { id, kind, fileId }: Item) {
  const passages = model.items.filter((one) => one.fileId === fileId && one.kind === 'chunk')
  const nodes =
    kind === 'document' || passages.length === 1 ? [fileId, ...passages.map((one) => one.id)] : [id]
  const relationships = new Set(nodes.flatMap((one) => (model.ofNode.get(one) ?? []).map((each) => each.id)))
  return { passages: passages.length, relationships: relationships.size, isLast: passages.length === 1 }
}
