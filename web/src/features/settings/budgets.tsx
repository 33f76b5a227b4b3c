import type { Budget } from '@cairn/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatCount, formatMoney, formatShare, formatTime } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx'
import { Progress } from '../../ui/progress.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { EmptyNote } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { BudgetForm, scopeTitles } from './budget-form.tsx'
import { budgetsQuery } from './queries.ts'

const amount = ({ unit }: Budget, value: number) =>
  unit === 'usd' ? formatMoney(value) : `${formatCount(value)} credits`

const columnsOf = (
  edit: (budget: Budget) => void,
  remove: (budget: Budget) => void,
): readonly PlainColumn<Budget>[] => [
  {
    id: 'scope',
    title: 'Limits',
    cell: ({ scope, scope_id: id }) => (
      <span>
        {scopeTitles[scope]} {scope !== 'project' && <code className="text-fg-2">{id}</code>}
      </span>
    ),
  },
  {
    id: 'period',
    title: 'Period',
    cell: ({ period, period_end: end }) => (
      <span title={end ? `Resets at ${formatTime(end)}` : undefined}>
        {period === 'total' ? 'in total' : `a ${period}`}
      </span>
    ),
  },
  { id: 'limit', title: 'Limit', align: 'right', cell: (budget) => amount(budget, budget.limit) },
  {
    id: 'spent',
    title: 'Spent',
    wrap: true,
    cell: (budget) => <Spent budget={budget} />,
  },
  {
    id: 'actions',
    title: 'Actions',
    quiet: true,
    align: 'right',
    cell: (budget) => (
      <span className="inline-flex">
        <RowButton of={budget.budget_id} onClick={() => edit(budget)}>
          Change…
        </RowButton>
        <RowButton of={budget.budget_id} onClick={() => remove(budget)}>
          Delete…
        </RowButton>
      </span>
    ),
  },
]

function Spent({ budget }: { budget: Budget }) {
  const { spent, limit, remaining } = budget
  const share = limit === 0 ? 1 : spent / limit
  return (
    <span className="flex min-w-52 items-center gap-2">
      <span className="w-24 shrink-0">
        <Progress done={Math.min(spent, limit)} total={limit} label="Spent" />
      </span>
      <span className="whitespace-nowrap tabular-nums">{`${amount(budget, spent)} (${formatShare(share)})`}</span>
      {remaining <= 0 && <StatusBadge kind="error">Used up</StatusBadge>}
    </span>
  )
}

/** The budgets of a project; questions over a budget are rejected. */
export function Budgets({ projectId }: { projectId: string }) {
  const { data: budgets, error, refetch } = useQuery(budgetsQuery(projectId))
  const [form, setForm] = useState<{ stored?: Budget }>()
  const [removed, setRemoved] = useState<Budget>()
  const queryClient = useQueryClient()
  const again = () => queryClient.invalidateQueries({ queryKey: budgetsQuery(projectId).queryKey })
  return (
    <Section
      title="Budgets"
      note="A question over a budget is rejected with 402 before a model is called. Days and months are in UTC."
      actions={
        <Button variant="primary" onClick={() => setForm({})}>
          New budget
        </Button>
      }
    >
      <QueryState
        query={{ data: budgets, error, refetch }}
        name="the budgets"
        rows={2}
        empty={<EmptyNote>No budgets. Nothing is limited.</EmptyNote>}
      >
        {(budgets) => (
          <PlainTable
            label="Budgets"
            columns={columnsOf((stored) => setForm({ stored }), setRemoved)}
            rows={budgets}
            rowKey={({ budget_id }) => budget_id}
          />
        )}
      </QueryState>
      {form && (
        <BudgetForm projectId={projectId} {...form} onClose={() => setForm(undefined)} onSaved={again} />
      )}
      <ConfirmDialog
        title="Delete the budget?"
        consequences={
          removed
            ? `The limit of ${amount(removed, removed.limit)} no longer applies. Usage stays counted.`
            : ''
        }
        action="Delete budget"
        open={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        onConfirm={async () => {
          if (removed) await client.console.budgets.delete(removed.budget_id)
          await again()
        }}
      />
    </Section>
  )
}
