import type { Multiplier } from '@cairn/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Section } from '../../ui/page.tsx'
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Ago } from '../../ui/time.tsx'
import { multipliersQuery } from './queries.ts'

const columnsOf = (
  set: (multiplier: Multiplier) => void,
  reset: (multiplier: Multiplier) => void,
): readonly PlainColumn<Multiplier>[] => [
  { id: 'model', title: 'Model', wrap: true, cell: ({ model }) => <code>{model}</code> },
  { id: 'value', title: 'Multiplier', align: 'right', cell: ({ multiplier }) => multiplier },
  { id: 'built-in', title: 'Built in', align: 'right', cell: ({ built_in }) => built_in ?? '–' },
  { id: 'set', title: 'Set', cell: ({ updated_at: at }) => (at ? <Ago at={at} /> : '–') },
  {
    id: 'actions',
    title: 'Actions',
    quiet: true,
    align: 'right',
    cell: (multiplier) => (
      <span className="inline-flex">
        {multiplier.updated_at && (
          <RowButton of={multiplier.model} onClick={() => reset(multiplier)}>
            {multiplier.built_in === null ? 'Remove' : 'Reset'}
          </RowButton>
        )}
        <RowButton of={multiplier.model} onClick={() => set(multiplier)}>
          Set…
        </RowButton>
      </span>
    ),
  },
]

/** The credits for 1,000 tokens of each model. */
export function Multipliers() {
  const { data, error, refetch } = useQuery(multipliersQuery)
  const [setting, setSetting] = useState<{ model: string; multiplier: string }>()
  const queryClient = useQueryClient()
  const again = () => queryClient.invalidateQueries({ queryKey: ['server'] })
  const reset = useMutation({
    mutationFn: ({ model }: Multiplier) => client.console.multipliers.delete(model),
    onSuccess: again,
  })
  return (
    <Section
      title="Credit multipliers"
      note="Credits are tokens / 1,000 × the multiplier. Changes apply to new answers. Models that are not listed have the multiplier 1."
      actions={<Button onClick={() => setSetting({ model: '', multiplier: '' })}>Set a multiplier</Button>}
    >
      {reset.error && <ErrorNotice error={reset.error} title="The multiplier was not reset" />}
      <QueryState query={{ data, error, refetch }} name="the multipliers" rows={6}>
        {(data) => (
          <PlainTable
            label="Credit multipliers"
            columns={columnsOf(
              ({ model, multiplier }) => setSetting({ model, multiplier: String(multiplier) }),
              (multiplier) => reset.mutate(multiplier),
            )}
            rows={data}
            rowKey={({ model }) => model}
          />
        )}
      </QueryState>
      {setting && <SetMultiplier start={setting} onClose={() => setSetting(undefined)} onSet={again} />}
    </Section>
  )
}

function SetMultiplier({
  start,
  onClose,
  onSet,
}: {
  start: { model: string; multiplier: string }
  onClose: () => void
  onSet: () => unknown
}) {
  const [draft, setDraft] = useState(start)
  const save = useMutation({
    mutationFn: () =>
      client.console.multipliers.set({ model: draft.model.trim(), multiplier: Number(draft.multiplier) }),
    onSuccess: () => {
      void onSet()
      onClose()
    },
  })
  return (
    <FormDialog
      title="Set a multiplier"
      onClose={onClose}
      sending={save}
      failed="The multiplier was not set"
      action="Set multiplier"
      busy="Saving…"
    >
      <Field label="Model">
        {(ids) => (
          <Input
            {...ids}
            required
            value={draft.model}
            onChange={(event) => setDraft({ ...draft, model: event.target.value })}
          />
        )}
      </Field>
      <Field label="Credits for 1,000 tokens">
        {(ids) => (
          <Input
            {...ids}
            type="number"
            min={0}
            step="any"
            required
            value={draft.multiplier}
            onChange={(event) => setDraft({ ...draft, multiplier: event.target.value })}
          />
        )}
      </Field>
    </FormDialog>
  )
}
