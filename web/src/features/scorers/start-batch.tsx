import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { toFilterBody } from '../../shared/filters/filter-body.ts'
import { FilterChips } from '../../shared/filters/filter-chips.tsx'
import { type FilterValues, filtersOf } from '../../shared/filters/filters.ts'
import { PeriodPicker } from '../../shared/filters/period-picker.tsx'
import { periodIn } from '../../shared/filters/periods.ts'
import { DoneDialog } from '../../ui/done-dialog.tsx'
import { Checkbox, Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { SampleField } from './sample-field.tsx'
import { defaultScorer, ScorerField } from './scorer-field.tsx'

/** The dialog that starts a batch: a scorer scores the stored traces that match the filters. */
export function StartBatch({
  projectId,
  view: initial,
  onClose,
}: {
  projectId: string
  view: FilterValues
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const [view, setView] = useState(initial)
  const [slug, setSlug] = useState(defaultScorer)
  const [limit, setLimit] = useState('1000')
  const [share, setShare] = useState('100')
  const [overwrite, setOverwrite] = useState(false)
  const start = useMutation({
    mutationFn: () =>
      client.judging.batches.start(projectId, slug, {
        filter: toFilterBody(view),
        sample_rate: Number(share) / 100,
        ...(limit !== '' && { limit: Number(limit) }),
        overwrite,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['batches', projectId] }),
  })
  if (start.isSuccess) {
    return (
      <DoneDialog
        title="Score traces"
        kind="running"
        status={`${slug} is scoring.`}
        link={
          <Link
            to="/projects/$projectId/scores"
            params={{ projectId }}
            search={{ tab: 'batches' }}
            className="link self-center"
            onClick={onClose}
          >
            See the progress
          </Link>
        }
        onClose={onClose}
      >
        <p className="text-fg-2">
          The batch continues when you leave this page and after a restart of the server.
        </p>
      </DoneDialog>
    )
  }
  return (
    <FormDialog
      title="Score traces"
      description="In the background, a scorer scores the stored traces that match the filters, newest first. It skips traces that it has already scored."
      onClose={onClose}
      wide
      sending={start}
      failed="The batch was not started"
      action="Start scoring"
      busy="Starting…"
    >
      <ScorerField projectId={projectId} value={slug} onChange={setSlug} />
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 font-medium">Traces</legend>
        <div className="flex flex-wrap items-center gap-1.5">
          <PeriodPicker
            key={JSON.stringify(periodIn(view))}
            value={periodIn(view)}
            onChange={(period) => setView(clean({ ...filtersOf(view), ...period, q: view.q }))}
          />
          <FilterChips
            projectId={projectId}
            filters={filtersOf(view)}
            onChange={(filters) => setView(clean({ ...filters, ...periodIn(view), q: view.q }))}
          />
          {view.q && <span className="text-fg-2">with “{view.q}” in input or output</span>}
        </div>
      </fieldset>
      <div className="flex flex-wrap gap-3">
        <Field label="Limit" hint="Number of newest traces; empty for all." className="w-40">
          {(ids) => (
            <Input
              {...ids}
              type="number"
              min={1}
              value={limit}
              onChange={({ target }) => setLimit(target.value)}
            />
          )}
        </Field>
        <SampleField value={share} onChange={setShare} hint="Chosen by trace id." />
      </div>
      <Checkbox checked={overwrite} onChange={({ target }) => setOverwrite(target.checked)}>
        Also score traces that this scorer has already scored. Earlier scores are kept.
      </Checkbox>
    </FormDialog>
  )
}

function clean(view: Record<string, string | string[] | undefined>): FilterValues {
  return Object.fromEntries(
    Object.entries(view).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined),
  )
}
