import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { messageOf } from '../../ui/states/error-notice.tsx'
import { flowingText } from '../documents/index.ts'
import type { Item } from './model.ts'
import { useGraphChange } from './use-graph-change.ts'

/** The text of a chunk or the file name of a document, with a form to change it. */
export function NodeText({
  chatId,
  item: { id, kind, text },
  filename,
}: {
  chatId: string
  item: Item
  filename: string
}) {
  const isDocument = kind === 'document'
  const [draft, setDraft] = useState<string>()
  const change = useGraphChange(chatId, (next: string) =>
    client.graph.updateNode(id, isDocument ? { filename: next } : { text: next }),
  )
  if (draft === undefined) {
    return (
      <section aria-label={isDocument ? 'File name' : 'Text'} className="flex flex-col gap-2">
        {!isDocument && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a long text too
          <p tabIndex={0} className="max-h-72 overflow-auto whitespace-pre-wrap break-words">
            {flowingText(filename, text)}
          </p>
        )}
        <Button className="self-start" onClick={() => setDraft(text)}>
          <Pencil size={14} aria-hidden="true" />
          {isDocument ? 'Rename' : 'Edit text'}
        </Button>
      </section>
    )
  }
  const save = () => change.mutate(draft, { onSuccess: () => setDraft(undefined) })
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Field
        label={isDocument ? 'File name' : 'Text'}
        error={change.error ? messageOf(change.error) : undefined}
        hint={
          isDocument
            ? undefined
            : 'This also changes the document. Its relationships are updated in the background.'
        }
      >
        {(ids) =>
          isDocument ? (
            <Input {...ids} autoFocus value={draft} onChange={(event) => setDraft(event.target.value)} />
          ) : (
            <Textarea
              {...ids}
              autoFocus
              rows={12}
              value={draft}
              onChange={(event) => setDraft(event.target.value)}
            />
          )
        }
      </Field>
      <div className="flex gap-2">
        <Button
          type="submit"
          variant="primary"
          busy={change.isPending && 'Saving…'}
          disabled={draft === text || draft.trim() === ''}
        >
          Save
        </Button>
        <Button onClick={() => setDraft(undefined)}>Cancel</Button>
      </div>
    </form>
  )
}
