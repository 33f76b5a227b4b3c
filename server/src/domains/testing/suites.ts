import {
  CairnError,
  type Case,
  type CreateCase,
  type CreatedCase,
  type CreatedSuite,
  type CreateSuite,
  type Deleted,
  type ListSuitesQuery,
  limits,
  type Suite,
  type SuiteSummary,
  type TargetInput,
  type UpdateCase,
  type UpdateSuite,
} from '@cairn/contract'
import { parseCursor, toPage } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { storable, storableOrNull } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import { type AssertionLookups, checkAssertions } from './assertions.ts'
import { toCase, toSuite, toSuiteSummary } from './shapes.ts'
import type { RunStore } from './store-runs.ts'
import type { CaseRow, CountedSuite, SuiteStore } from './store-suites.ts'
import { checkTarget, type StoredTarget, storeTarget, type TargetRules } from './targets.ts'
import type { RunWatch } from './watch.ts'

export interface SuiteDependencies {
  store: SuiteStore
  box: SecretBox
  targets: TargetRules
  lookups: (projectId: string) => AssertionLookups
  /** @throws `not_found` for an unknown trace */
  trace: (projectId: string, traceId: string) => Promise<{ input: string; output: string }>
  runs: Pick<RunStore, 'list'>
  watch: Pick<RunWatch, 'end'>
}

const noTarget: StoredTarget = { target: null, target_headers: null }

/** Test suites and their cases. */
export class SuiteService {
  readonly #dependencies: SuiteDependencies

  constructor(dependencies: SuiteDependencies) {
    this.#dependencies = dependencies
  }

  async create(projectId: string, request: CreateSuite): Promise<CreatedSuite> {
    const { store } = this.#dependencies
    const now = Date.now()
    const suiteId = newId('ste_', now)
    if ((await store.count(projectId)) >= limits.suitesPerProject) {
      throw new CairnError(
        'invalid_request',
        `a project has at most ${limits.suitesPerProject} suites; delete some`,
      )
    }
    const row = {
      project_id: projectId,
      suite_id: suiteId,
      name: storable(request.name.trim()),
      description: storableOrNull(request.description),
      tags: JSON.stringify((request.tags ?? []).map(storable)),
      ...(await this.#target(projectId, suiteId, request.target)),
      created_at: now,
    }
    if ((await store.insert(row)) === 'no_project') throw new CairnError('not_found', 'project not found')
    return { suite_id: suiteId, name: row.name, created_at: toIso(now) }
  }

  /** Newest first. */
  async list(projectId: string, { limit = limits.listMax, cursor }: ListSuitesQuery) {
    const after = parseCursor(cursor, 'ste_')
    const rows = await this.#dependencies.store.list(projectId, { limit: limit + 1, after })
    const { page, next } = toPage(rows, limit, (row) => ({ ms: row.created_at, id: row.suite_id }))
    return { page: page.map(toSuiteSummary) as SuiteSummary[], next }
  }

  async get(projectId: string, suiteId: string): Promise<Suite> {
    return toSuite(await this.find(projectId, suiteId))
  }

  /**
   * The stored row of a suite.
   * @throws `not_found`
   */
  async find(projectId: string, suiteId: string): Promise<CountedSuite> {
    const row = await this.#dependencies.store.find(projectId, suiteId)
    if (!row) throw new CairnError('not_found', 'suite not found')
    return row
  }

  async update(projectId: string, suiteId: string, request: UpdateSuite): Promise<Suite> {
    const { name, description, tags, target } = request
    await this.find(projectId, suiteId)
    const changes = {
      ...(name != null && { name: storable(name.trim()) }),
      ...(description != null && { description: storable(description) }),
      ...(tags != null && { tags: JSON.stringify(tags.map(storable)) }),
      ...(target != null && (await this.#target(projectId, suiteId, target))),
    }
    if (!(await this.#dependencies.store.update(projectId, suiteId, changes))) {
      throw new CairnError('not_found', 'suite not found')
    }
    return this.get(projectId, suiteId)
  }

  /** Deletes a suite with its cases and runs. The traces of the runs stay. */
  async delete(projectId: string, suiteId: string): Promise<Deleted> {
    const { store, runs, watch } = this.#dependencies
    const conditions = { suiteId, versionId: undefined, status: 'running' as const }
    const running = await runs.list(projectId, conditions, { limit: limits.listMax, after: undefined })
    if (!(await store.delete(projectId, suiteId))) throw new CairnError('not_found', 'suite not found')
    for (const { run_id } of running) watch.end(run_id)
    return { success: true, message: 'suite deleted with its cases and runs' }
  }

  async createCase(projectId: string, suiteId: string, request: CreateCase): Promise<CreatedCase> {
    const { store, trace, lookups } = this.#dependencies
    const { case_count } = await this.find(projectId, suiteId)
    if (case_count >= limits.casesPerSuite) {
      throw new CairnError(
        'invalid_request',
        `a suite has at most ${limits.casesPerSuite} cases; delete some`,
      )
    }
    const from = request.trace_id == null ? undefined : await trace(projectId, request.trace_id)
    const query = request.query ?? from?.input
    const expected = request.expected_answer ?? from?.output
    if (query === undefined) throw new CairnError('invalid_request', 'query is required')
    if (expected === undefined) throw new CairnError('invalid_request', 'expected_answer is required')
    if (query.trim() === '') {
      throw new CairnError('invalid_request', 'query is required: the input of the trace is empty')
    }
    const longest = Math.max(query.length, expected.length)
    if (longest > limits.questionLength) {
      const field = query.length === longest ? 'query' : 'expected_answer'
      throw new CairnError(
        'invalid_request',
        `${field} must have at most ${limits.questionLength} characters`,
      )
    }
    const now = Date.now()
    const row: CaseRow = {
      project_id: projectId,
      suite_id: suiteId,
      case_id: newId('tsc_', now),
      query: storable(query),
      expected_answer: storable(expected),
      category: storableOrNull(request.category),
      assertions: JSON.stringify(await checkAssertions(request.assertions ?? [], lookups(projectId))),
      trace_id: request.trace_id ?? null,
      created_at: now,
    }
    if ((await store.insertCase(row)) === 'no_suite') throw new CairnError('not_found', 'suite not found')
    return { case_id: row.case_id, suite_id: suiteId, created_at: toIso(now) }
  }

  /** In the order of their creation. */
  async listCases(
    projectId: string,
    suiteId: string,
    { limit = limits.listDefault, cursor }: ListSuitesQuery,
  ) {
    await this.find(projectId, suiteId)
    const after = parseCursor(cursor, 'tsc_')
    const rows = await this.#dependencies.store.listCases(projectId, suiteId, { limit: limit + 1, after })
    const { page, next } = toPage(rows, limit, (row) => ({ ms: row.created_at, id: row.case_id }))
    return { page: page.map(toCase), next }
  }

  async getCase(projectId: string, suiteId: string, caseId: string): Promise<Case> {
    await this.find(projectId, suiteId)
    const row = await this.#dependencies.store.findCase(projectId, suiteId, caseId)
    if (!row) throw new CairnError('not_found', 'case not found')
    return toCase(row)
  }

  /** Changes a case. Runs that have started keep the previous case. */
  async updateCase(projectId: string, suiteId: string, caseId: string, request: UpdateCase): Promise<Case> {
    const { store, lookups } = this.#dependencies
    await this.getCase(projectId, suiteId, caseId)
    const { query, expected_answer, category, assertions } = request
    const changes = {
      ...(query != null && { query: storable(query) }),
      ...(expected_answer != null && { expected_answer: storable(expected_answer) }),
      ...(category != null && { category: storable(category) }),
      ...(assertions != null && {
        assertions: JSON.stringify(await checkAssertions(assertions, lookups(projectId))),
      }),
    }
    await store.updateCase({ project_id: projectId, suite_id: suiteId, case_id: caseId }, changes)
    return this.getCase(projectId, suiteId, caseId)
  }

  async deleteCase(projectId: string, suiteId: string, caseId: string): Promise<Deleted> {
    await this.find(projectId, suiteId)
    if (!(await this.#dependencies.store.deleteCase(projectId, suiteId, caseId))) {
      throw new CairnError('not_found', 'case not found')
    }
    return { success: true, message: 'case deleted; its results stay' }
  }

  async #target(
    projectId: string,
    suiteId: string,
    given: TargetInput | null | undefined,
  ): Promise<StoredTarget> {
    if (given == null) return noTarget
    const open = await checkTarget(projectId, given, this.#dependencies.targets)
    return open.target.type === 'default' ? noTarget : storeTarget(open, this.#dependencies.box, suiteId)
  }
}
