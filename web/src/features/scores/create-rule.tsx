import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { FilterChips } from '../filters/filter-chips.tsx'
import type { FilterValues } from '../filters/filters.ts'
import { JudgeField, usualJudge } from './judge-field.tsx'
import { rulesQuery } from './queries.ts'
import { SampleField } from './sample-field.tsx'
import { toFilterBody } from './start-batch.tsx'

/** A judge for what arrives from now on. */
export function CreateRule({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [slug, setSlug] = useState(usualJudge)
  const [filters, setFilters] = useState<FilterValues>({})
  const [share, setShare] = useState('100')
  const create = useMutation({
    mutationFn: () =>
      client.judging.rules.create(projectId, {
        name,
        scorer: slug,
        filter: toFilterBody(filters),
        sample_rate: Number(share) / 100,
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(rulesQuery(projectId))
      onClose()
    },
  })
  return (
    <Dialog
      title="New rule"
      description="Traces that are recorded from now on are judged as they arrive."
      open
      onClose={onClose}
      wide
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Field label="Name">
          {(ids) => (
            <Input
              {...ids}
              required
              maxLength={200}
              value={name}
              placeholder="Tone in production"
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <JudgeField projectId={projectId} value={slug} onChange={setSlug} />
        <fieldset>
          <legend className="mb-1 font-medium">Which traces</legend>
          <div className="flex flex-wrap items-center gap-1.5">
            <FilterChips projectId={projectId} filters={filters} onChange={setFilters} />
            {Object.keys(filters).length === 0 && <span className="text-fg-2">All that arrive</span>}
          </div>
        </fieldset>
        <SampleField value={share} onChange={setShare} />
        {create.error && <ErrorNotice error={create.error} title="The rule was not made" />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            disabled={name.trim() === ''}
            busy={create.isPending && 'Creating…'}
          >
            Create rule
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
