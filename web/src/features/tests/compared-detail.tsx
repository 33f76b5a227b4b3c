import type { CaseResult, ComparedCase, RunComparison } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../../shared/client.ts'
import { testsKey } from '../../shared/queries/suites.ts'
import { Section } from '../../ui/page.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { WordDiff } from '../../ui/word-diff.tsx'
import { ResultBadge } from './run-badges.tsx'

/** Finds the result of a case in a run page by page, since the API has no endpoint for one result. */
async function findResult(
  projectId: string,
  runId: string,
  { case_id }: ComparedCase,
  passed: boolean,
  signal: AbortSignal,
): Promise<CaseResult | null> {
  let cursor: string | undefined
  do {
    const page = await client.testing.runs.resultPage(
      projectId,
      runId,
      { limit: 500, ...(passed && { outcome: 'passed' as const }), ...(cursor && { cursor }) },
      { signal },
    )
    const found = page.results.find((result) => result.case_id === case_id)
    if (found) return found
    cursor = page.nextCursor
  } while (cursor)
  return null
}

/** The answers of both runs to a case, compared word by word. */
export function ComparedDetail({
  projectId,
  comparison,
  compared,
}: {
  projectId: string
  comparison: RunComparison
  compared: ComparedCase
}) {
  const { run_a: runA, run_b: runB } = comparison
  const { data, error, refetch } = useQuery({
    queryKey: [...testsKey(projectId), 'compared', runA.run_id, runB.run_id, compared.case_id],
    queryFn: ({ signal }) =>
      Promise.all(
        (
          [
            [runA, compared.a],
            [runB, compared.b],
          ] as const
        ).map(([run, side]) =>
          side ? findResult(projectId, run.run_id, compared, side.passed, signal) : null,
        ),
      ),
  })
  const [a, b] = data ?? []
  return (
    <div className="flex flex-col gap-6 p-4">
      <Section title="Input">
        <p className="break-words whitespace-pre-wrap">{compared.query}</p>
      </Section>
      <QueryState
        query={{ data, error, refetch }}
        name="the results"
        skeleton={<Skeleton className="h-24 w-full" />}
      >
        {([a, b]) => (
          <Section title="Answers">
            <div className="flex gap-6">
              {a && (
                <span className="flex gap-2">
                  A <ResultBadge result={a} />
                </span>
              )}
              {b && (
                <span className="flex gap-2">
                  B <ResultBadge result={b} />
                </span>
              )}
            </div>
            <WordDiff
              before={a?.error ?? a?.actual_output ?? ''}
              after={b?.error ?? b?.actual_output ?? ''}
              beforeTitle="Answer in A"
              afterTitle="Answer in B"
            />
          </Section>
        )}
      </QueryState>
      {(a ?? b) && (
        <Section title="Expected">
          <p className="break-words whitespace-pre-wrap text-fg-2">
            {(b ?? a)?.expected_answer || 'Nothing'}
          </p>
        </Section>
      )}
      <div className="flex flex-wrap gap-x-4">
        {(
          [
            ['A', runA, compared.a],
            ['B', runB, compared.b],
          ] as const
        ).map(
          ([name, run, side]) =>
            side && (
              <Link
                key={name}
                to="/projects/$projectId/tests/runs/$runId"
                params={{ projectId, runId: run.run_id }}
                search={{ case: compared.case_id }}
                className="link"
              >
                {`Assertions and scores in ${name}`}
              </Link>
            ),
        )}
      </div>
    </div>
  )
}
