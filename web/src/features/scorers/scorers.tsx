import type { Scorer } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { scorersQuery } from '../../shared/queries/scorers.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { none } from '../../ui/format.ts'
import { QueryState } from '../../ui/states/query-state.tsx'
import { methodText, ScorerPanel } from './scorer-panel.tsx'

const columns: readonly Column<Scorer>[] = [
  {
    id: 'slug',
    title: 'Scorer',
    width: 200,
    cell: ({ slug }) => <span className="font-medium">{slug}</span>,
  },
  { id: 'kind', title: 'Kind', width: 110, cell: ({ built_in }) => (built_in ? 'Built in' : 'Project') },
  {
    id: 'method',
    title: 'Scored by',
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

/** The built-in scorers and the scorers of the project. */
export function Scorers({
  projectId,
  opened,
  onOpen,
}: {
  projectId: string
  /** Slug of the open scorer. */
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
              name="scorers"
              label="Scorers"
              columns={columns}
              rows={scorers}
              rowKey={keyOf}
              selected={opened}
              onOpen={({ slug }) => onOpen(slug)}
              footer={
                scorers.every(({ built_in }) => built_in) &&
                'A scorer of your own is a prompt for a model, with a score for each choice.'
              }
            />
            {open && (
              <ScorerPanel
                key={open.slug}
                projectId={projectId}
                scorer={open}
                onClose={() => onOpen(undefined)}
              />
            )}
          </div>
        )
      }}
    </QueryState>
  )
}
