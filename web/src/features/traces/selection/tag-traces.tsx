import type { TracePreview } from '@cairn/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { client } from '../../../shared/client.ts'
import { valuesQuery } from '../../../shared/filters/queries.ts'
import { Checkbox, Field, Input } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { plural } from '../../../ui/format.ts'
import { showTags } from '../queries.ts'

/** The tags of a text with commas. */
function tagsIn(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}

/** The dialog that adds tags to the selected traces and removes tags. */
export function TagTraces({
  projectId,
  traces,
  onClose,
}: {
  projectId: string
  traces: readonly TracePreview[]
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const list = useId()
  const { data: known = [] } = useQuery(valuesQuery(projectId, 'tag', {}))
  const [text, setText] = useState('')
  const [removed, setRemoved] = useState<readonly string[]>([])
  const ids = traces.map(({ trace_id }) => trace_id)
  const present = [...new Set(traces.flatMap(({ tags }) => tags))].sort()
  const added = tagsIn(text)
  const tagging = useMutation({
    mutationFn: () => client.traces.tag(projectId, { trace_ids: ids, add: added, remove: [...removed] }),
    onSuccess: () => {
      showTags(queryClient, projectId, ids, (tags) => [
        ...new Set([...tags.filter((tag) => !removed.includes(tag)), ...added]),
      ])
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Tag ${plural(traces.length, 'trace')}`}
      onClose={onClose}
      sending={tagging}
      failed="The tags were not changed"
      action="Change tags"
      busy="Changing…"
      disabled={added.length + removed.length === 0}
    >
      <Field label="Add tags" hint="Several tags are separated by commas.">
        {(ids) => (
          <>
            <Input
              {...ids}
              list={list}
              autoComplete="off"
              value={text}
              placeholder="checked, regression"
              onChange={({ target }) => setText(target.value)}
            />
            <datalist id={list}>
              {known.map((tag) => (
                <option key={tag} value={tag} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      {present.length > 0 && (
        <fieldset className="flex max-h-48 flex-col gap-1.5 overflow-y-auto">
          <legend className="mb-1 font-medium">Remove tags</legend>
          {present.map((tag) => (
            <Checkbox
              key={tag}
              checked={removed.includes(tag)}
              onChange={({ target }) =>
                setRemoved(target.checked ? [...removed, tag] : removed.filter((one) => one !== tag))
              }
            >
              {tag}{' '}
              <span className="text-fg-3">
                {plural(traces.filter(({ tags }) => tags.includes(tag)).length, 'trace')}
              </span>
            </Checkbox>
          ))}
        </fieldset>
      )}
    </FormDialog>
  )
}
