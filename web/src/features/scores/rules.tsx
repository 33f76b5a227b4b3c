import type { Rule } from '@cairn/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { rulesQuery } from '../../shared/queries/scorers.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatCount, formatMoney, formatScore, formatShare, none, plural } from '../../ui/format.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Ago } from '../../ui/time.tsx'
import { filterText } from './filter-text.ts'

const keyOf = ({ rule_id }: Rule) => rule_id

/** The rules by which scorers score new traces, each with a switch. */
export function Rules({ projectId, onCreate }: { projectId: string; onCreate: () => void }) {
  const queryClient = useQueryClient()
  const { data: rules, error, refetch } = useQuery(rulesQuery(projectId))
  const [deleting, setDeleting] = useState<Rule>()
  const refresh = () => queryClient.invalidateQueries(rulesQuery(projectId))
  const toggle = useMutation({
    mutationFn: ({ rule_id, enabled }: Rule) =>
      client.judging.rules.update(projectId, rule_id, { enabled: !enabled }),
    onSettled: refresh,
  })
  return (
    <QueryState
      query={{ data: rules, error, refetch }}
      name="the rules"
      fill
      empty={
        <EmptyState title="No rules yet">
          <p>A rule scores traces as they arrive: all of them, or the ones that match a filter or sample.</p>
          <Button variant="primary" onClick={onCreate}>
            New rule
          </Button>
        </EmptyState>
      }
    >
      {(rules) => (
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          {toggle.error && (
            <div className="p-4">
              <ErrorNotice error={toggle.error} title="The rule could not be switched" />
            </div>
          )}
          <DataTable
            name="rules"
            label="Rules"
            columns={columnsWith((rule) => toggle.mutate(rule), setDeleting)}
            rows={rules}
            rowKey={keyOf}
          />
          {deleting && (
            <ConfirmDialog
              title="Delete this rule?"
              consequences={`The rule “${deleting.name}” stops scoring new traces. Its ${plural(deleting.scored, 'score')} will be kept.`}
              action="Delete rule"
              open
              onClose={() => setDeleting(undefined)}
              onConfirm={async () => {
                await client.judging.rules.delete(projectId, deleting.rule_id)
                await refresh()
              }}
            />
          )}
        </div>
      )}
    </QueryState>
  )
}

function columnsWith(
  onToggle: (rule: Rule) => void,
  onDelete: (rule: Rule) => void,
): readonly Column<Rule>[] {
  return [
    {
      id: 'enabled',
      title: 'On',
      width: 64,
      cell: (rule) => (
        <button
          type="button"
          role="switch"
          aria-checked={rule.enabled}
          aria-label={`${rule.name} scores new traces`}
          className={`rounded-sm border px-1.5 text-sm ${rule.enabled ? 'border-accent text-accent' : 'text-fg-2'}`}
          onClick={() => onToggle(rule)}
        >
          {rule.enabled ? 'On' : 'Off'}
        </button>
      ),
    },
    {
      id: 'name',
      title: 'Name',
      width: 180,
      cell: ({ name }) => <span className="font-medium">{name}</span>,
    },
    { id: 'scorer', title: 'Scorer', width: 150, cell: ({ scorer }) => scorer },
    {
      id: 'filter',
      title: 'Traces',
      width: 200,
      grow: true,
      cell: ({ filter }) => <span title={filterText(filter)}>{filterText(filter)}</span>,
    },
    {
      id: 'sample',
      title: 'Sample',
      width: 80,
      align: 'right',
      cell: ({ sample_rate }) => formatShare(sample_rate),
    },
    { id: 'scored', title: 'Scored', width: 80, align: 'right', cell: ({ scored }) => formatCount(scored) },
    {
      id: 'failed',
      title: 'Failed',
      width: 80,
      align: 'right',
      cell: ({ failed, last_error }) => (
        <span title={last_error ?? ''}>{failed ? formatCount(failed) : none}</span>
      ),
    },
    {
      id: 'mean',
      title: 'Mean score',
      width: 96,
      align: 'right',
      cell: ({ mean_score }) => formatScore(mean_score),
    },
    { id: 'cost', title: 'Cost', width: 80, align: 'right', cell: ({ cost }) => formatMoney(cost) },
    {
      id: 'last',
      title: 'Last score',
      width: 96,
      cell: ({ last_scored_at: last }) => (last ? <Ago at={last} /> : none),
    },
    {
      id: 'delete',
      title: 'Delete',
      width: 96,
      cell: (rule) => (
        <IconButton label={`Delete the rule ${rule.name}`} onClick={() => onDelete(rule)}>
          <Trash2 size={14} />
        </IconButton>
      ),
    },
  ]
}
