import {
  CairnError,
  type Deleted,
  type ListRunsQuery,
  limits,
  type Run,
  type StartedRun,
  type StartRun,
  type UpdateRun,
} from '@cairn/contract'
import { type Paged, parseCursor, toPage } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'
import { type SecretBox, SecretBoxError } from '../../lib/secret-box.ts'
import { storable, storableOrNull } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import { type Resolved, type ResolvedVersion, resolveTarget, type TargetDirectory } from './resolve.ts'
import { toRun } from './shapes.ts'
import type { RunRow, RunStore } from './store-runs.ts'
import type { CountedSuite } from './store-suites.ts'
import type { SuiteService } from './suites.ts'
import { checkTarget, type OpenTarget, openTarget, storeTarget, type TargetRules } from './targets.ts'
import type { RunWatch } from './watch.ts'

export interface RunDependencies {
  store: RunStore
  suites: SuiteService
  box: SecretBox
  targets: TargetRules
  directory: TargetDirectory
  /** Undefined if the project has no such version. */
  findVersion: (projectId: string, versionId: string) => Promise<ResolvedVersion | undefined>
  watch: RunWatch
  /** Starts lanes and deliveries of events at once. */
  wake: () => void
  defaults: { concurrency: number; timeoutMs: number }
}

export class RunService {
  readonly #dependencies: RunDependencies

  constructor(dependencies: RunDependencies) {
    this.#dependencies = dependencies
  }

  /** Starts a run. A run without a usable target fails at once, with the reason. */
  async start(projectId: string, suiteId: string, request: StartRun): Promise<StartedRun> {
    const { store, suites, box, findVersion, wake, defaults } = this.#dependencies
    const suite = await suites.find(projectId, suiteId)
    const { version_id } = request
    const named = version_id == null ? undefined : await findVersion(projectId, version_id)
    if (version_id != null && !named) {
      throw new CairnError('not_found', 'version not found: version_id must be a version of the project')
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

  /** Deletes a run with its results. Its traces stay. A running run is ended. */
  async delete(projectId: string, runId: string): Promise<Deleted> {
    const { store, watch } = this.#dependencies
    if (!(await store.delete(projectId, runId))) throw new CairnError('not_found', 'run not found')
    watch.end(runId)
    return { success: true, message: 'run deleted with its results; its traces stay' }
  }

  /** Ends a running run. A run that has ended does not change. */
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

  async #find(projectId: string, runId: string): Promise<RunRow> {
    const row = await this.#dependencies.store.find(projectId, runId)
    if (!row) throw new CairnError('not_found', 'run not found')
    return row
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
          'the headers of the target cannot be decrypted: they were encrypted with another encryption key; set the target again',
      }
    }
  }
}
