import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { toFilterBody } from '../../shared/filters/filter-body.ts'
import { FilterChips } from '../../shared/filters/filter-chips.tsx'
import type { FilterValues } from '../../shared/filters/filters.ts'
import { rulesQuery } from '../../shared/queries/scorers.ts'
import { Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { defaultScorer, SampleField, ScorerField } from '../scorers/index.ts'

/** The dialog that creates a rule: a scorer for new traces. */
export function CreateRule({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [slug, setSlug] = useState(defaultScorer)
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
    <FormDialog
      title="New rule"
      description="A rule scores new traces as they arrive."
      onClose={onClose}
      wide
      sending={create}
      failed="The rule was not created"
      action="Create rule"
      busy="Creating…"
      disabled={name.trim() === ''}
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
      <ScorerField projectId={projectId} value={slug} onChange={setSlug} />
      <fieldset>
        <legend className="mb-1 font-medium">Which traces</legend>
        <div className="flex flex-wrap items-center gap-1.5">
          <FilterChips projectId={projectId} filters={filters} onChange={setFilters} />
          {Object.keys(filters).length === 0 && <span className="text-fg-2">All new traces</span>}
        </div>
      </fieldset>
      <SampleField value={share} onChange={setShare} />
    </FormDialog>
  )
}
