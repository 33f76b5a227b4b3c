import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { formatCount, formatMoney } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'

/** Recomputes the costs of stored traces by the current prices. */
export function Reprice({ projectId }: { projectId: string }) {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [model, setModel] = useState('')
  const reprice = useMutation({
    mutationFn: () =>
      client.console.projects.reprice(projectId, {
        ...(from && { start_date: from }),
        ...(to && { end_date: to }),
        ...(model.trim() && { model: model.trim() }),
      }),
  })
  return (
    <Section
      title="Recompute costs"
      note="Computes the costs of stored traces again by the current prices. Costs sent by the client stay as they are."
    >
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          reprice.mutate()
        }}
      >
        <Field label="From" className="w-36">
          {(ids) => (
            <Input {...ids} type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
          )}
        </Field>
        <Field label="Before" className="w-36">
          {(ids) => <Input {...ids} type="date" value={to} onChange={(event) => setTo(event.target.value)} />}
        </Field>
        <Field label="Model" className="w-48">
          {(ids) => (
            <Input
              {...ids}
              placeholder="all models"
              value={model}
              onChange={(event) => setModel(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" busy={reprice.isPending && 'Computing…'}>
          Recompute
        </Button>
      </form>
      {reprice.error && <ErrorNotice error={reprice.error} title="The costs were not recomputed" />}
      <div role="status">
        {reprice.data && (
          <Facts
            facts={[
              { name: 'Examined traces', value: formatCount(reprice.data.examined) },
              { name: 'Changed', value: formatCount(reprice.data.changed) },
              { name: 'Cost before', value: formatMoney(reprice.data.total_before) },
              { name: 'Cost now', value: formatMoney(reprice.data.total_after) },
            ]}
          />
        )}
      </div>
    </Section>
  )
}
