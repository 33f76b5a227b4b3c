import type { FileChunk } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { messageOf } from '../../ui/states/error-notice.tsx'

/** Edits the text of a chunk, and with it the document and its search index. */
export function ChunkEditor({
  chatId,
  chunk,
  onDone,
}: {
  chatId: string
  chunk: FileChunk
  onDone: () => void
}) {
  const [text, setText] = useState(chunk.text)
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: () => client.graph.updateNode(chunk.chunk_id, { text }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['chats', chatId] })
      onDone()
    },
  })
  return (
    <form
      className="flex flex-col gap-2 pb-1"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
      onKeyDown={(event) => {
        // Escape closes the editor, not the panel around it.
        if (event.key !== 'Escape') return
        event.preventDefault()
        onDone()
      }}
    >
      <Field
        label={`Text of chunk ${chunk.order + 1}`}
        hint="The next question searches and cites the new text."
        error={save.error ? messageOf(save.error) : undefined}
      >
        {(ids) => (
          <Textarea
            {...ids}
            rows={Math.min(18, Math.max(4, Math.ceil(text.length / 90)))}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button
          type="submit"
          variant="primary"
          busy={save.isPending && 'Saving…'}
          disabled={text.trim() === '' || text === chunk.text}
        >
          Save the chunk
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  )
}
