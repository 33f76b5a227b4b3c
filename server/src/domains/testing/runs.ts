import {
  CairnError,
  type CaseResult,
  type CompareRunsQuery,
  type Deleted,
  type ListRunsQuery,
  limits,
  type Run,
  type RunComparison,
  type RunResults,
  type RunResultsQuery,
  type StartedRun,
  type StartRun,
  type SuiteOfVersions,
  type UpdateRun,
} from '@cairn/contract'
import { type Paged, parseCursor, toPage, WrongCursor } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'
import { type SecretBox, SecretBoxError } from '../../lib/secret-box.ts'
import { storable, storableOrNull } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import { compareRuns } from './comparison.ts'
import { junitCase, junitHead, junitTail } from './junit.ts'
import { type Resolved, type ResolvedVersion, resolveTarget, type TargetDirectory } from './resolve.ts'
import { toResult, toRun, toSuiteRun } from './shapes.ts'
import type { ResultStore } from './store-results.ts'
import type { RunRow, RunStore } from './store-runs.ts'
import type { CountedSuite } from './store-suites.ts'
import type { SuiteService } from './suites.ts'
import { checkTarget, type OpenTarget, openTarget, storeTarget, type TargetRules } from './targets.ts'
import type { RunWatch } from './watch.ts'

export interface RunDependencies {
  store: RunStore
  results: ResultStore
  suites: SuiteService
  box: SecretBox
  targets: TargetRules
  directory: TargetDirectory
  /** Undefined for none of the project. */
  findVersion: (projectId: string, versionId: string) => Promise<ResolvedVersion | undefined>
  watch: RunWatch
  /** Has lanes begin, and events delivered. */
  wake: () => void
  defaults: { concurrency: number; timeoutMs: number }
}

/** Results that are read at a time. */
const readAtOnce = 200

export class RunService {
  readonly #dependencies: RunDependencies

  constructor(dependencies: RunDependencies) {
    this.#dependencies = dependencies
  }

  /** Begins a run; one without a target that could be called is over at once, and says why. */
  async start(projectId: string, suiteId: string, request: StartRun): Promise<StartedRun> {
    const { store, suites, box, findVersion, wake, defaults } = this.#dependencies
    const suite = await suites.find(projectId, suiteId)
    const { version_id } = request
    const named = version_id == null ? undefined : await findVersion(projectId, version_id)
    if (version_id != null && !named) {
      throw new CairnError('not_found', 'version not found: version_id names none of the project')
    }
    const { resolved, version } = await this.#resolve(projectId, suite, request, named)
    const now = Date.now()
    const runId = newId('run_', now)
    const target = 'problem' in resolved ? { target: { type: 'default' as const }, headers: {} } : resolved
    const row: RunRow = {
      project_id: projectId,
      run_id: runId,
      suite_id: suiteId,
      name: storableOrNull(request.name),
      notes: storableOrNull(request.notes),
      status: 'running',
      error: 'problem' in resolved ? storable(resolved.problem) : null,
      ...storeTarget(target, box, runId),
      version_id: version?.version_id ?? null,
      version: version?.version ?? null,
      concurrency: request.concurrency ?? defaults.concurrency,
      timeout_ms: request.timeout_ms ?? defaults.timeoutMs,
      total: 0,
      next_position: 0,
      passed: 0,
      failed: 0,
      errors: 0,
      latency_sum: 0,
      cost_sum: 0,
      judge_cost: 0,
      started_at: now,
      completed_at: null,
    }
    if ((await store.insert(row)) === 'no_suite') throw new CairnError('not_found', 'suite not found')
    wake()
    const status = row.error === null ? 'running' : 'failed'
    return { run_id: runId, suite_id: suiteId, status, started_at: toIso(now) }
  }

  /** Newest first. */
  async list(projectId: string, query: ListRunsQuery): Promise<Paged<Run>> {
    const { suite_id: suiteId, version_id: versionId, status, limit = limits.listDefault, cursor } = query
    const after = parseCursor(cursor, 'run_')
    const conditions = { suiteId, versionId, status }
    const rows = await this.#dependencies.store.list(projectId, conditions, { limit: limit + 1, after })
    const { page, next } = toPage(rows, limit, (row) => ({ ms: row.started_at, id: row.run_id }))
    return { page: page.map(toRun), next }
  }

  async get(projectId: string, runId: string): Promise<Run> {
    return toRun(await this.#find(projectId, runId))
  }

  async update(projectId: string, runId: string, { name, notes }: UpdateRun): Promise<Run> {
    const changes = {
      ...(name != null && { name: storable(name.trim()) }),
      ...(notes != null && { notes: storable(notes) }),
    }
    if (!(await this.#dependencies.store.update(projectId, runId, changes))) {
      throw new CairnError('not_found', 'run not found')
    }
    return this.get(projectId, runId)
  }

  /** With its results; its traces stay. A run under way ends. */
  async delete(projectId: string, runId: string): Promise<Deleted> {
    const { store, watch } = this.#dependencies
    if (!(await store.delete(projectId, runId))) throw new CairnError('not_found', 'run not found')
    watch.end(runId)
    return { success: true, message: 'run deleted with its results; its traces stay' }
  }

  /** Ends a run that is running; one that is over stays as it is. */
  async cancel(projectId: string, runId: string): Promise<Run> {
    const { store, watch, wake } = this.#dependencies
    const before = await store.cancel(projectId, runId)
    if (!before) throw new CairnError('not_found', 'run not found')
    if (before.status === 'running') {
      watch.end(runId)
      wake()
    }
    return this.get(projectId, runId)
  }

  /** A page of results, and the cursor of the next one. */
  async resultPage(
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

  /** All results there are, as one JSON text in pieces. */
  async *resultsAsJson(projectId: string, runId: string): AsyncGenerator<string> {
    const run = await this.#find(projectId, runId)
    yield `${JSON.stringify(headOf(toRun(run))).slice(0, -1)},"results":[`
    let separator = ''
    for await (const results of this.#results(run)) {
      yield separator + results.map((result) => JSON.stringify(result)).join(',')
      separator = ','
    }
    yield ']}'
  }

  /** All results there are, as JUnit XML in pieces. */
  async *resultsAsJunit(projectId: string, runId: string): AsyncGenerator<string> {
    const run = await this.#find(projectId, runId)
    const { name } = await this.#dependencies.suites.find(projectId, run.suite_id)
    yield junitHead(toRun(run), name)
    for await (const results of this.#results(run)) {
      yield results.map((result) => junitCase(result, name)).join('')
    }
    yield junitTail
  }

  async compare(projectId: string, { a, b }: CompareRunsQuery): Promise<RunComparison> {
    const { results } = this.#dependencies
    const [rowA, rowB] = await Promise.all([this.#find(projectId, a, 'a'), this.#find(projectId, b, 'b')])
    const [resultsA, resultsB] = await Promise.all([results.forComparison(rowA), results.forComparison(rowB)])
    return compareRuns([toRun(rowA), resultsA], [toRun(rowB), resultsB])
  }

  async #find(projectId: string, runId: string, field?: 'a' | 'b'): Promise<RunRow> {
    const row = await this.#dependencies.store.find(projectId, runId)
    if (row) return row
    throw new CairnError('not_found', field ? `run not found: ${field} names none` : 'run not found')
  }

  /** The results that the row counts, a few at a time; throws when some have gone meanwhile. */
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

  async #resolve(
    projectId: string,
    suite: CountedSuite,
    { target: given }: StartRun,
    named: ResolvedVersion | undefined,
  ): Promise<{ resolved: Resolved; version: ResolvedVersion | undefined }> {
    const { directory, targets } = this.#dependencies
    const asked = given == null ? this.#ofSuite(suite) : await checkTarget(projectId, given, targets)
    if (asked && 'problem' in asked) return { resolved: asked, version: named }
    return resolveTarget(projectId, asked, named, directory)
  }

  #ofSuite(suite: CountedSuite): OpenTarget | { problem: string } | undefined {
    try {
      return openTarget(suite, this.#dependencies.box, suite.suite_id)
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error
      return {
        problem:
          'the headers of the target cannot be read: they were stored under another encryption key; set the target anew',
      }
    }
  }
}

/** The last completed runs of each suite for two versions, side by side; suites that neither was tried on are left out. */
export async function runsOfVersions(
  store: RunStore,
  projectId: string,
  a: string,
  b: string,
): Promise<SuiteOfVersions[]> {
  const [ofA, ofB] = await Promise.all([store.latestOf(projectId, a), store.latestOf(projectId, b)])
  const names = new Map([...ofA, ...ofB].map(({ suite_id, suite_name }) => [suite_id, suite_name]))
  const runIn = (rows: typeof ofA, suiteId: string) => {
    const row = rows.find(({ suite_id }) => suite_id === suiteId)
    return row ? toSuiteRun(row) : null
  }
  return [...names].map(([suite_id, name]) => ({
    suite_id,
    name,
    a: runIn(ofA, suite_id),
    b: runIn(ofB, suite_id),
  }))
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
