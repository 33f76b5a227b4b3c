import type { Case } from '@cairn/sdk'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useReadMore } from '../../shared/use-read-more.ts'
import { Button } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { plural } from '../../ui/format.ts'
import { SidePanel } from '../../ui/side-panel.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Chip } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { assertionText } from './assertion-kinds.ts'
import { CaseEditor } from './case-editor.tsx'
import { ImportCases } from './import-cases.tsx'
import { caseQuery, casesQuery, suiteQuery } from './queries.ts'

const columns: readonly Column<Case>[] = [
  {
    id: 'query',
    title: 'Input',
    width: 320,
    grow: true,
    cell: ({ query }) => <span title={query}>{query}</span>,
  },
  {
    id: 'expected',
    title: 'Expected',
    width: 240,
    cell: ({ expected_answer: expected }) => (
      <span title={expected} className="text-fg-2">
        {expected}
      </span>
    ),
  },
  {
    id: 'assertions',
    title: 'Passes by',
    width: 180,
    cell: ({ assertions }) => (
      <span title={assertions.map(assertionText).join('\n')}>
        {assertions.length === 0 ? (
          <span className="text-fg-3">Scorer</span>
        ) : (
          plural(assertions.length, 'assertion')
        )}
      </span>
    ),
  },
  {
    id: 'category',
    title: 'Category',
    width: 130,
    cell: ({ category }) => category && <Chip title={category}>{category}</Chip>,
  },
  { id: 'created', title: 'Created', width: 110, cell: ({ created_at }) => <Ago at={created_at} /> },
]

/** The cases of a suite, with a panel for the open case. */
export function CasesTab({ projectId, suiteId }: { projectId: string; suiteId: string }) {
  const list = useInfiniteQuery(casesQuery(projectId, suiteId))
  const { data, error, refetch } = list
  const readMore = useReadMore(list)
  const { case: open } = useSearch({ from: '/signed-in/projects/$projectId/tests/$suiteId' })
  const navigate = useNavigate()
  const [importing, setImporting] = useState(false)
  const cases = data?.pages.flatMap((page) => page.cases)
  const show = (caseId: string | undefined) =>
    navigate({
      to: '/projects/$projectId/tests/$suiteId',
      params: { projectId, suiteId },
      search: { tab: undefined, case: caseId },
    })
  const actions = (
    <>
      <Button onClick={() => show('new')}>Add case</Button>
      <Button onClick={() => setImporting(true)}>Import…</Button>
    </>
  )
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      <QueryState
        query={{ data: cases, error, refetch }}
        name="the cases"
        fill
        empty={
          <EmptyState title="No cases yet">
            <p>
              A case is an input, an expected answer, and assertions about the actual answer. Write cases
              here, or import a file. “Create a test case” on a trace creates a case from a real answer.
            </p>
            <div className="flex gap-2">{actions}</div>
          </EmptyState>
        }
      >
        {(cases) => (
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <div className="flex items-center gap-2 border-b px-4 py-1.5">{actions}</div>
            <DataTable
              name="cases"
              label="Cases"
              columns={columns}
              rows={cases}
              rowKey={({ case_id }) => case_id}
              selected={open}
              onOpen={({ case_id }) => show(case_id)}
              onEnd={readMore}
            />
          </div>
        )}
      </QueryState>
      {open && (
        <CasePanel
          key={open}
          projectId={projectId}
          suiteId={suiteId}
          caseId={open}
          onClose={() => show(undefined)}
        />
      )}
      {importing && (
        <ImportCases projectId={projectId} suiteId={suiteId} onClose={() => setImporting(false)} />
      )}
    </div>
  )
}

function CasePanel({
  projectId,
  suiteId,
  caseId,
  onClose,
}: {
  projectId: string
  suiteId: string
  caseId: string
  onClose: () => void
}) {
  const isNew = caseId === 'new'
  const { data, error, refetch } = useQuery({ ...caseQuery(projectId, suiteId, caseId), enabled: !isNew })
  const queryClient = useQueryClient()
  const changed = async (saved?: Case) => {
    if (saved) queryClient.setQueryData(caseQuery(projectId, suiteId, caseId).queryKey, saved)
    onClose()
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: casesQuery(projectId, suiteId).queryKey }),
      queryClient.invalidateQueries({ queryKey: suiteQuery(projectId, suiteId).queryKey }),
    ])
  }
  const editorOf = (stored?: Case) => (
    <CaseEditor
      projectId={projectId}
      suiteId={suiteId}
      stored={stored}
      onClose={onClose}
      onChanged={changed}
    />
  )
  return (
    <SidePanel label={isNew ? 'New case' : 'Case'} onClose={onClose}>
      {isNew ? (
        editorOf()
      ) : (
        <QueryState query={{ data, error, refetch }} name="the case" fill rows={4}>
          {editorOf}
        </QueryState>
      )}
    </SidePanel>
  )
}
