import type { Scorer } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { scorersQuery } from '../../shared/queries/scorers.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { none } from '../../ui/format.ts'
import { QueryState } from '../../ui/states/query-state.tsx'
import { methodText, ScorerPanel } from './scorer-panel.tsx'

const columns: readonly Column<Scorer>[] = [
  { id: 'slug', title: 'Judge', width: 200, cell: ({ slug }) => <span className="font-medium">{slug}</span> },
  { id: 'kind', title: 'Kind', width: 110, cell: ({ built_in }) => (built_in ? 'Built in' : 'Own') },
  {
    id: 'method',
    title: 'Graded by',
    width: 160,
    cell: methodText,
  },
  {
    id: 'description',
    title: 'Description',
    width: 300,
    grow: true,
    cell: ({ description, prompt }) => (
      <span title={prompt ?? description ?? ''}>{description ?? prompt ?? none}</span>
    ),
  },
]

const keyOf = ({ slug }: Scorer) => slug

/** What can judge an output: the built-in judges, and those of the project. */
export function Scorers({
  projectId,
  opened,
  onOpen,
}: {
  projectId: string
  /** Slug of the judge that is open. */
  opened: string | undefined
  onOpen: (slug: string | undefined) => void
}) {
  const { data: scorers, error, refetch } = useQuery(scorersQuery(projectId))
  return (
    <QueryState query={{ data: scorers, error, refetch }} name="the scorers" fill rows={12}>
      {(scorers) => {
        const open = scorers.find(({ slug }) => slug === opened)
        return (
          <div className="flex min-h-0 min-w-0 flex-1">
            <DataTable
              name="judges"
              label="Judges"
              columns={columns}
              rows={scorers}
              rowKey={keyOf}
              selected={opened}
              onOpen={({ slug }) => onOpen(slug)}
              footer={
                scorers.every(({ built_in }) => built_in) &&
                'A judge of your own is a prompt for a model, and what its choices are worth.'
              }
            />
            {open && (
              <ScorerPanel
                key={open.slug}
                projectId={projectId}
                judge={open}
                onClose={() => onOpen(undefined)}
              />
            )}
          </div>
        )
      }}
    </QueryState>
  )
}
