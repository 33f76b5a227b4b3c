import {
  type Budget,
  type BudgetScope,
  CairnError,
  type CreateBudget,
  type Deleted,
  type ListBudgetsQuery,
  limits,
  type UpdateBudget,
} from '@cairn/contract'
import { withoutNoise } from '../../lib/amounts.ts'
import { ExpiringCache } from '../../lib/expiring-cache.ts'
import { newId } from '../../lib/ids.ts'
import { toIso } from '../../lib/time.ts'
import type { AccessService } from '../access/index.ts'
import type { Payer } from '../usage/index.ts'
import { periodAt } from './periods.ts'
import type { BudgetRow, BudgetStore } from './store-budgets.ts'

/** The maximum time in milliseconds until this process notices a budget that another process changed. */
const cacheMs = 5_000
const maxCachedProjects = 10_000

/** Forms of ids whose application or user need not exist when the budget is created. */
const idForms: Partial<Record<BudgetScope, RegExp>> = {
  app: /^app_v1_[0-9a-z]+$/,
  user: /^user_v1_[0-9a-z]+$/,
}

interface BudgetOptions {
  store: BudgetStore
  access: AccessService
  projectOfChat: (chatId: string) => Promise<string | undefined>
}

/** Limits for the credits or costs of projects, chats, applications and users. */
export class BudgetService {
  readonly #options: BudgetOptions
  readonly #cache = new ExpiringCache<readonly BudgetRow[]>(cacheMs, maxCachedProjects)

  constructor(options: BudgetOptions) {
    this.#options = options
  }

  async create(request: CreateBudget): Promise<Budget> {
    const { store, access } = this.#options
    const { project_id, scope, period, unit, limit } = request
    await access.getProject(project_id)
    const scope_id = await this.#scopeIdOf(request)
    if ((await store.list({ projectId: project_id })).length >= limits.budgetsPerProject) {
      throw new CairnError(
        'conflict',
        `a project has at most ${limits.budgetsPerProject} budgets; delete some`,
      )
    }
    const now = Date.now()
    const row: BudgetRow = {
      budget_id: newId('bud_', now),
      project_id,
      scope,
      scope_id,
      period,
      unit: unit ?? 'credits',
      amount: limit,
      created_at: now,
    }
    if ((await store.insert(row)) === 'no_project') throw new CairnError('not_found', 'project not found')
    this.#cache.clear()
    return this.#toBudget(row)
  }

  async list({ project_id, scope }: ListBudgetsQuery): Promise<Budget[]> {
    const rows = await this.#options.store.list({ projectId: project_id, scope })
    return Promise.all(rows.map((row) => this.#toBudget(row)))
  }

  async get(budgetId: string): Promise<Budget> {
    const row = await this.#options.store.find(budgetId)
    if (!row) throw new CairnError('not_found', 'budget not found')
    return this.#toBudget(row)
  }

  async update(budgetId: string, { period, unit, limit }: UpdateBudget): Promise<Budget> {
    const row = await this.#options.store.update(budgetId, {
      ...(period != null && { period }),
      ...(unit != null && { unit }),
      ...(limit != null && { amount: limit }),
    })
    this.#cache.clear()
    if (!row) throw new CairnError('not_found', 'budget not found')
    return this.#toBudget(row)
  }

  async delete(budgetId: string): Promise<Deleted> {
    const found = await this.#options.store.delete(budgetId)
    this.#cache.clear()
    if (!found) throw new CairnError('not_found', 'budget not found')
    return { success: true, message: 'budget deleted' }
  }

  /** The project of a budget; undefined if the budget does not exist. */
  async projectOf(budgetId: string): Promise<string | undefined> {
    return (await this.#options.store.find(budgetId))?.project_id
  }

  /** Clears the cache. Call it after a cached budget proved to be deleted. */
  clearCache(): void {
    this.#cache.clear()
  }

  /** The budgets that apply to a call, sorted by id. */
  async budgetsOf({ projectId, chatId, appId, userId }: Payer): Promise<BudgetRow[]> {
    const all = await this.#cache.getOrLoad(projectId, () => this.#options.store.list({ projectId }))
    const ids: Record<BudgetScope, string | null> = {
      project: projectId,
      chat: chatId,
      app: appId,
      user: userId,
    }
    const applicable = (all ?? []).filter(({ scope, scope_id }) => ids[scope] === scope_id)
    return applicable.sort((a, b) => (a.budget_id < b.budget_id ? -1 : 1))
  }

  async #scopeIdOf({ project_id, scope, scope_id }: CreateBudget): Promise<string> {
    if (scope === 'project') {
      if (scope_id == null || scope_id === project_id) return project_id
      throw new CairnError('invalid_request', 'scope_id must be omitted for the scope project')
    }
    if (scope_id == null)
      throw new CairnError('invalid_request', `scope_id is required for the scope ${scope}`)
    if (scope === 'chat' && (await this.#options.projectOfChat(scope_id)) !== project_id) {
      throw new CairnError('not_found', 'chat not found in this project')
    }
    if (idForms[scope]?.test(scope_id) === false) {
      throw new CairnError('invalid_request', `scope_id must be an id of the form ${scope}_v1_…`)
    }
    return scope_id
  }

  async #toBudget(row: BudgetRow): Promise<Budget> {
    const now = Date.now()
    const { spent, reserved } = await this.#options.store.stateOf(row, now)
    const { start, end } = periodAt(row.period, now)
    const { amount: limit, created_at, budget_id, project_id, scope, scope_id, period, unit } = row
    return {
      budget_id,
      project_id,
      scope,
      scope_id,
      period,
      unit,
      limit,
      spent: withoutNoise(spent),
      reserved: withoutNoise(reserved),
      remaining: Math.max(0, withoutNoise(limit - spent)),
      period_start: period === 'total' ? null : toIso(start),
      period_end: end === undefined ? null : toIso(end),
      created_at: toIso(created_at),
    }
  }
}
