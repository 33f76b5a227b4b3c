import {
  CairnError,
  type CaseResult,
  type CompareRunsQuery,
  limits,
  type Run,
  type RunComparison,
  type RunResults,
  type RunResultsQuery,
} from '@cairn/contract'
import { WrongCursor } from '../../lib/cursor.ts'
import { compareRuns } from './comparison.ts'
import { junitCase, junitHead, junitTail } from './junit.ts'
import { toResult, toRun } from './shapes.ts'
import type { ResultStore } from './store-results.ts'
import type { RunRow, RunStore } from './store-runs.ts'
import type { SuiteService } from './suites.ts'

export interface RunResultsDependencies {
  runs: RunStore
  results: ResultStore
  suites: SuiteService
}

/** Results per read. */
const readAtOnce = 200

/** Reads the results of runs, and compares two runs. */
export class RunResultsService {
  readonly #dependencies: RunResultsDependencies

  constructor(dependencies: RunResultsDependencies) {
    this.#dependencies = dependencies
  }

  /** A page of results, and the cursor of the next page if there is one. */
  async page(
    projectId: string,
    runId: string,
    { limit = limits.listDefault, cursor, outcome }: RunResultsQuery,
  ): Promise<{ page: RunResults; next: string | undefined }> {
    const run = await this.#find(projectId, runId)
    const after = parsePosition(cursor)
    const found = await this.#dependencies.results.list(run, run.passed + run.failed, {
      limit: limit + 1,
      after,
      outcome,
    })
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    const next = last && found.length > limit ? encodePosition(last.position) : undefined
    return { page: { ...headOf(toRun(run)), results: rows.map(toResult) }, next }
  }

  /** All current results as JSON, in pieces. */
  async *asJson(projectId: string, runId: string): AsyncGenerator<string> {
    const run = await this.#find(projectId, runId)
    // The head is sent with the first results, so that a deletion before the first read is still a 404.
    let before = `${JSON.stringify(headOf(toRun(run))).slice(0, -1)},"results":[`
    for await (const results of this.#results(run)) {
      yield before + results.map((result) => JSON.stringify(result)).join(',')
      before = ','
    }
    yield before === ',' ? ']}' : `${before}]}`
  }

  /** All current results as JUnit XML, in pieces. */
  async *asJunit(projectId: string, runId: string): AsyncGenerator<string> {
    const run = await this.#find(projectId, runId)
    const { name } = await this.#dependencies.suites.find(projectId, run.suite_id)
    let head = junitHead(toRun(run), name)
    for await (const results of this.#results(run)) {
      yield head + results.map((result) => junitCase(result, name)).join('')
      head = ''
    }
    yield head + junitTail
  }

  async compare(projectId: string, { a, b }: CompareRunsQuery): Promise<RunComparison> {
    const { results } = this.#dependencies
    const [rowA, rowB] = await Promise.all([this.#find(projectId, a, 'a'), this.#find(projectId, b, 'b')])
    const [resultsA, resultsB] = await Promise.all([results.forComparison(rowA), results.forComparison(rowB)])
    return compareRuns([toRun(rowA), resultsA], [toRun(rowB), resultsB])
  }

  async #find(projectId: string, runId: string, field?: 'a' | 'b'): Promise<RunRow> {
    const row = await this.#dependencies.runs.find(projectId, runId)
    if (row) return row
    throw new CairnError(
      'not_found',
      field ? `run not found: ${field} must be a run of the project` : 'run not found',
    )
  }

  /**
   * The results that `run` counts, in steps.
   * @throws `not_found` if the run is deleted meanwhile
   */
  async *#results(run: RunRow): AsyncGenerator<CaseResult[]> {
    const wanted = run.passed + run.failed
    let [read, after]: [number, number | undefined] = [0, undefined]
    while (read < wanted) {
      const rows = await this.#dependencies.results.list(run, wanted, { limit: readAtOnce, after })
      if (rows.length === 0) throw new CairnError('not_found', 'the run was deleted while it was read')
      read += rows.length
      after = rows.at(-1)?.position
      yield rows.map(toResult)
    }
  }
}

function headOf(run: Run): Omit<RunResults, 'results'> {
  const { run_id, suite_id, status, started_at, completed_at, passed, failed, total, pass_rate, error } = run
  return { run_id, suite_id, status, started_at, completed_at, passed, failed, total, pass_rate, error }
}

function encodePosition(position: number): string {
  return Buffer.from(`result ${position}`).toString('base64url')
}

function parsePosition(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  const [, position] = /^result (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (position === undefined) throw new WrongCursor()
  return Number(position)
}
