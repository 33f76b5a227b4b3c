import type {
  Case,
  CreateCase,
  CreatedCase,
  CreatedSuite,
  CreateSuite,
  Deleted,
  ListRunsQuery,
  ListSuitesQuery,
  Run,
  RunComparison,
  RunResults,
  RunResultsQuery,
  StartedRun,
  StartRun,
  Suite,
  SuiteSummary,
  UpdateCase,
  UpdateRun,
  UpdateSuite,
} from '@cairn/contract'
import type { Page } from './pages.ts'
import { type CallOptions, path, type Transport } from './transport.ts'

export interface SuitePage extends Page {
  suites: SuiteSummary[]
}

export interface CasePage extends Page {
  cases: Case[]
}

export interface RunPage extends Page {
  runs: Run[]
}

export interface ResultPage extends RunResults, Page {}

export interface WaitOptions extends CallOptions {
  /** Milliseconds between two polls; default 500. */
  everyMs?: number
}

/** Test suites, their cases and runs. */
export function testingCalls(transport: Transport) {
  const root = (projectId: string) => path`/v1/${projectId}/testing`
  const suiteAt = (projectId: string, suiteId: string) => root(projectId) + path`/suites/${suiteId}`
  const runAt = (projectId: string, runId: string) => root(projectId) + path`/runs/${runId}`

  const getRun = (projectId: string, runId: string, options?: CallOptions) =>
    transport.json<Run>('GET', runAt(projectId, runId), options)

  /** Resolves with the run when it has ended. */
  async function wait(projectId: string, runId: string, options: WaitOptions = {}): Promise<Run> {
    const { everyMs = 500, ...call } = options
    for (;;) {
      const run = await getRun(projectId, runId, call)
      if (run.status !== 'running') return run
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }

  return {
    suites: {
      create: (projectId: string, suite: CreateSuite, options?: CallOptions) =>
        transport.json<CreatedSuite>('POST', `${root(projectId)}/suites`, { body: suite, ...options }),
      /** Newest first; up to 1,000 unless the query sets a smaller limit. */
      list: (projectId: string, query: ListSuitesQuery = {}, options?: CallOptions) =>
        transport.json<SuiteSummary[]>('GET', `${root(projectId)}/suites`, { query, ...options }),
      /** Newest first, with the cursor of the next page. */
      async page(projectId: string, query: ListSuitesQuery = {}, options?: CallOptions): Promise<SuitePage> {
        const at = `${root(projectId)}/suites`
        const { page: suites, nextCursor } = await transport.page<SuiteSummary[]>(at, { query, ...options })
        return { suites, nextCursor }
      },
      /** Every suite, newest first, fetched page by page. */
      each: (projectId: string, query: ListSuitesQuery = {}, options?: CallOptions) =>
        transport.each<SuiteSummary>(`${root(projectId)}/suites`, { query, ...options }),
      get: (projectId: string, suiteId: string, options?: CallOptions) =>
        transport.json<Suite>('GET', suiteAt(projectId, suiteId), options),
      /** Replaces the whole target; `{ type: 'default' }` removes it. */
      update: (projectId: string, suiteId: string, changes: UpdateSuite, options?: CallOptions) =>
        transport.json<Suite>('PATCH', suiteAt(projectId, suiteId), { body: changes, ...options }),
      /** Deletes the suite with its cases and runs; the traces of the runs stay. */
      delete: (projectId: string, suiteId: string, options?: CallOptions) =>
        transport.json<Deleted>('DELETE', suiteAt(projectId, suiteId), options),
      run: (projectId: string, suiteId: string, request: StartRun = {}, options?: CallOptions) =>
        transport.json<StartedRun>('POST', `${suiteAt(projectId, suiteId)}/run`, {
          body: request,
          ...options,
        }),
    },
    cases: {
      /** Creates a case from a query and an expected answer, or from a trace (`trace_id`). */
      create: (projectId: string, suiteId: string, testCase: CreateCase, options?: CallOptions) =>
        transport.json<CreatedCase>('POST', `${suiteAt(projectId, suiteId)}/cases`, {
          body: testCase,
          ...options,
        }),
      /** In the order in which the cases were created. */
      async page(
        projectId: string,
        suiteId: string,
        query: ListSuitesQuery = {},
        options?: CallOptions,
      ): Promise<CasePage> {
        const at = `${suiteAt(projectId, suiteId)}/cases`
        const { page: cases, nextCursor } = await transport.page<Case[]>(at, { query, ...options })
        return { cases, nextCursor }
      },
      /** Every case in the order of creation, fetched page by page. */
      each: (projectId: string, suiteId: string, query: ListSuitesQuery = {}, options?: CallOptions) =>
        transport.each<Case>(`${suiteAt(projectId, suiteId)}/cases`, { query, ...options }),
      get: (projectId: string, suiteId: string, caseId: string, options?: CallOptions) =>
        transport.json<Case>('GET', suiteAt(projectId, suiteId) + path`/cases/${caseId}`, options),
      update: (
        projectId: string,
        suiteId: string,
        caseId: string,
        changes: UpdateCase,
        options?: CallOptions,
      ) =>
        transport.json<Case>('PATCH', suiteAt(projectId, suiteId) + path`/cases/${caseId}`, {
          body: changes,
          ...options,
        }),
      delete: (projectId: string, suiteId: string, caseId: string, options?: CallOptions) =>
        transport.json<Deleted>('DELETE', suiteAt(projectId, suiteId) + path`/cases/${caseId}`, options),
    },
    runs: {
      /** Newest first. */
      async page(projectId: string, query: ListRunsQuery = {}, options?: CallOptions): Promise<RunPage> {
        const at = `${root(projectId)}/runs`
        const { page: runs, nextCursor } = await transport.page<Run[]>(at, { query, ...options })
        return { runs, nextCursor }
      },
      /** Every run, newest first, fetched page by page. */
      each: (projectId: string, query: ListRunsQuery = {}, options?: CallOptions) =>
        transport.each<Run>(`${root(projectId)}/runs`, { query, ...options }),
      get: getRun,
      wait,
      update: (projectId: string, runId: string, changes: UpdateRun, options?: CallOptions) =>
        transport.json<Run>('PATCH', runAt(projectId, runId), { body: changes, ...options }),
      /** Deletes the run with its results; its traces stay. */
      delete: (projectId: string, runId: string, options?: CallOptions) =>
        transport.json<Deleted>('DELETE', runAt(projectId, runId), options),
      cancel: (projectId: string, runId: string, options?: CallOptions) =>
        transport.json<Run>('POST', `${runAt(projectId, runId)}/cancel`, options),
      /** All available results; with `limit`, one page of them. */
      results: (
        projectId: string,
        runId: string,
        query: Omit<RunResultsQuery, 'format'> = {},
        options?: CallOptions,
      ) => transport.json<RunResults>('GET', `${runAt(projectId, runId)}/results`, { query, ...options }),
      /** A page of results with the cursor of the next page; `outcome` filters them. */
      async resultPage(
        projectId: string,
        runId: string,
        query: Omit<RunResultsQuery, 'format'> = {},
        options?: CallOptions,
      ): Promise<ResultPage> {
        const content = { query: { limit: 100, ...query }, ...options }
        const { page, nextCursor } = await transport.page<RunResults>(
          `${runAt(projectId, runId)}/results`,
          content,
        )
        return { ...page, nextCursor }
      },
      /** The results as JUnit XML. */
      async junit(projectId: string, runId: string, options?: CallOptions): Promise<string> {
        const content = { query: { format: 'junit' }, ...options }
        return (await transport.send('GET', `${runAt(projectId, runId)}/results`, content)).text()
      },
      compare: (projectId: string, a: string, b: string, options?: CallOptions) =>
        transport.json<RunComparison>('GET', `${root(projectId)}/runs/compare`, {
          query: { a, b },
          ...options,
        }),
    },
  }
}
