import type { ResultOutcome } from '@cairn/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../shared/client.ts'
import { testsKey } from '../../shared/queries/suites.ts'

const { suites, cases, runs } = client.testing
const firstPage = undefined as string | undefined
/** Milliseconds between two reads of a running run. */
const pollMs = 1000

export const suitesQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: [...testsKey(projectId), 'suites'],
    queryFn: ({ pageParam, signal }) =>
      suites.page(projectId, { limit: 200, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const suiteQuery = (projectId: string, suiteId: string) =>
  queryOptions({
    queryKey: [...testsKey(projectId), 'suite', suiteId],
    queryFn: ({ signal }) => suites.get(projectId, suiteId, { signal }),
  })

export const casesQuery = (projectId: string, suiteId: string) =>
  infiniteQueryOptions({
    queryKey: [...testsKey(projectId), 'cases', suiteId],
    queryFn: ({ pageParam, signal }) =>
      cases.page(projectId, suiteId, { limit: 200, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const caseQuery = (projectId: string, suiteId: string, caseId: string) =>
  queryOptions({
    queryKey: [...testsKey(projectId), 'case', suiteId, caseId],
    queryFn: ({ signal }) => cases.get(projectId, suiteId, caseId, { signal }),
  })

/** Runs of a suite, newest first; polled while one is running. */
export const runsQuery = (projectId: string, suiteId: string, limit = 100) =>
  infiniteQueryOptions({
    queryKey: [...testsKey(projectId), 'runs', suiteId, limit],
    queryFn: ({ pageParam, signal }) =>
      runs.page(projectId, { suite_id: suiteId, limit, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ runs: page }) => page.some(({ status }) => status === 'running'))
        ? pollMs
        : false,
  })

export const lastRunQuery = (projectId: string, suiteId: string) =>
  queryOptions({
    queryKey: [...testsKey(projectId), 'last-run', suiteId],
    queryFn: async ({ signal }) => {
      const page = await runs.page(projectId, { suite_id: suiteId, limit: 1 }, { signal })
      return page.runs[0] ?? null
    },
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 2 * pollMs : false),
  })

export const runQuery = (projectId: string, runId: string) =>
  queryOptions({
    queryKey: [...testsKey(projectId), 'run', runId],
    queryFn: ({ signal }) => runs.get(projectId, runId, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? pollMs : false),
  })

/** Results in the order of the cases. `running` is part of the key, so that the last results load when the run ends. */
export const resultsQuery = (
  projectId: string,
  runId: string,
  outcome: ResultOutcome | undefined,
  running: boolean,
) =>
  infiniteQueryOptions({
    queryKey: [...testsKey(projectId), 'results', runId, outcome, running],
    queryFn: ({ pageParam, signal }) =>
      runs.resultPage(
        projectId,
        runId,
        { limit: 100, ...(outcome && { outcome }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: firstPage,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (before, query) => (query?.queryKey[4] === outcome ? before : undefined),
    // Each poll loads all pages again, so only few pages are polled.
    refetchInterval: ({ state }) => (running && (state.data?.pages.length ?? 0) <= 3 ? 2 * pollMs : false),
  })

export const comparisonQuery = (projectId: string, a: string, b: string) =>
  queryOptions({
    queryKey: [...testsKey(projectId), 'comparison', a, b],
    queryFn: ({ signal }) => runs.compare(projectId, a, b, { signal }),
  })
