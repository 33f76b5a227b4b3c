import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { messageOf } from '../../ui/states/error-notice.tsx'
import { useStored } from '../../ui/stored.ts'
import { traceQuery } from './queries.ts'

/** The form that adds a score by hand. The browser keeps its name for the next trace. */
export function AddScore({
  projectId,
  traceId,
  onDone,
}: {
  projectId: string
  traceId: string
  onDone: () => void
}) {
  const queryClient = useQueryClient()
  const [lastName, setLastName] = useStored(`score-name.${projectId}`, '')
  const [name, setName] = useState(lastName)
  const [value, setValue] = useState('')
  const [comment, setComment] = useState('')
  const add = useMutation({
    mutationFn: () =>
      client.scores.create(projectId, traceId, {
        name,
        value: Number(value),
        ...(comment.trim() && { comment: comment.trim() }),
      }),
    onSuccess: async () => {
      setLastName(name)
      await queryClient.invalidateQueries(traceQuery(projectId, traceId))
      onDone()
    },
  })
  return (
    <form
      aria-label="Add a score"
      className="flex flex-col gap-2 rounded-md border p-3"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <div className="flex flex-wrap gap-2">
        <Field label="Name" className="min-w-40 flex-1">
          {(ids) => (
            <Input
              {...ids}
              value={name}
              required
              maxLength={200}
              placeholder="helpfulness"
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <Field label="Value, 0 to 1" className="w-28">
          {(ids) => (
            <Input
              {...ids}
              type="number"
              min={0}
              max={1}
              step="any"
              required
              value={value}
              onChange={({ target }) => setValue(target.value)}
            />
          )}
        </Field>
        <Field label="Comment" className="w-full">
          {(ids) => <Input {...ids} value={comment} onChange={({ target }) => setComment(target.value)} />}
        </Field>
      </div>
      {add.error && (
        <p role="alert" className="text-error">
          {messageOf(add.error)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={name.trim() === '' || value === ''}
          busy={add.isPending && 'Adding…'}
        >
          Add score
        </Button>
      </div>
    </form>
  )
}
