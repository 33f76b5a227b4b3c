import {
  CairnError,
  type CreateRule,
  type Deleted,
  limits,
  type Rule,
  type UpdateRule,
} from '@cairn/contract'
import { ExpiringCache } from '../../lib/expiring-cache.ts'
import { newId } from '../../lib/ids.ts'
import { storable } from '../../lib/storable.ts'
import { toIso, toIsoOrNull } from '../../lib/time.ts'
import type { ScoringService } from '../scorers/index.ts'
import type { Arrivals } from '../traces/index.ts'
import { conditionsOf, storedFilter, toFilter } from './filter.ts'
import { isSampled } from './sample.ts'
import { arrivalInserts, type NewTraces, type RuleRow, type RuleStore } from './store-rules.ts'

/** The maximum time in milliseconds until this process notices a rule that another process changed. */
const cacheMs = 5_000
const maxCachedProjects = 10_000

/** The fields of a rule that the recording of traces needs. */
type ActiveRule = Pick<RuleRow, 'project_id' | 'rule_id' | 'sample_rate'>

const none: readonly ActiveRule[] = []

/** The enabled rules of projects, for the recording of traces. Cached. */
export class ActiveRules implements Arrivals<ActiveRule> {
  readonly #store: Pick<RuleStore, 'list'>
  readonly #rules = new ExpiringCache<readonly ActiveRule[]>(cacheMs, maxCachedProjects)
  /** Reads in progress by project, so that concurrent traces share one read. */
  #loading = new Map<string, Promise<readonly ActiveRule[]>>()

  constructor(store: Pick<RuleStore, 'list'>) {
    this.#store = store
  }

  async rulesOf(projectId: string): Promise<readonly ActiveRule[]> {
    return (await this.#rules.getOrLoad(projectId, () => this.#loadOnce(projectId))) ?? none
  }

  /** The rows that queue the sampled traces of each rule, for the transaction that writes the traces. */
  inserts(arrived: readonly { rules: readonly ActiveRule[]; traceIds: readonly string[] }[]) {
    const byRule = new Map<string, NewTraces & { traceIds: string[] }>()
    for (const { rules, traceIds } of arrived) {
      for (const { project_id, rule_id, sample_rate } of rules) {
        const sampled = traceIds.filter((id) => isSampled(id, sample_rate))
        if (sampled.length === 0) continue
        const known = byRule.get(rule_id)
        if (known) known.traceIds.push(...sampled)
        else byRule.set(rule_id, { project_id, rule_id, traceIds: sampled })
      }
    }
    return arrivalInserts([...byRule.values()])
  }

  /**
   * Clears the cache. Call it after a change of a rule. Reads in progress may have missed the change, so later calls do not
   * share them.
   */
  clearCache(): void {
    this.#rules.clear()
    this.#loading = new Map()
  }

  #loadOnce(projectId: string): Promise<readonly ActiveRule[]> {
    const loading = this.#loading
    const current = loading.get(projectId)
    if (current) return current
    const load = this.#store
      .list(projectId)
      .then((rows) => rows.filter(({ enabled }) => enabled === 1))
      .finally(() => loading.delete(projectId))
    loading.set(projectId, load)
    return load
  }
}

/** Creates, reads, changes and deletes the rules of a project. */
export class RuleService {
  readonly #store: RuleStore
  readonly #scoring: Pick<ScoringService, 'open'>
  readonly #active: Pick<ActiveRules, 'clearCache'>

  constructor(
    store: RuleStore,
    scoring: Pick<ScoringService, 'open'>,
    active: Pick<ActiveRules, 'clearCache'>,
  ) {
    this.#store = store
    this.#scoring = scoring
    this.#active = active
  }

  /**
   * Creates a rule for traces that are recorded afterwards.
   * @throws `not_found` for an unknown scorer
   */
  async create(projectId: string, request: CreateRule): Promise<Rule> {
    const row = toRow(projectId, request)
    await this.#scoring.open(projectId, request.scorer)
    if ((await this.#store.list(projectId)).length >= limits.rulesPerProject) {
      const max = limits.rulesPerProject
      throw new CairnError('invalid_request', `a project has at most ${max} rules; delete one first`)
    }
    if ((await this.#store.insert(row)) === 'no_project') {
      throw new CairnError('not_found', 'project not found')
    }
    this.#active.clearCache()
    return toRule(row)
  }

  /** Newest first. */
  async list(projectId: string): Promise<Rule[]> {
    return (await this.#store.list(projectId)).map(toRule)
  }

  async get(projectId: string, ruleId: string): Promise<Rule> {
    const row = await this.#store.find(projectId, ruleId)
    if (!row) throw new CairnError('not_found', 'rule not found')
    return toRule(row)
  }

  /** Changes the given fields. If the rule is disabled, its waiting traces are dropped. */
  async update(projectId: string, ruleId: string, request: UpdateRule): Promise<Rule> {
    const { name, scorer, filter, sample_rate, enabled } = request
    const values: Partial<RuleRow> = {
      ...(name != null && { name: storable(name.trim()) }),
      ...(scorer != null && { scorer }),
      ...(filter != null && { filter: ruleFilter(filter) }),
      ...(sample_rate != null && { sample_rate }),
      ...(enabled != null && { enabled: enabled ? 1 : 0 }),
      updated_at: Date.now(),
    }
    if (scorer != null) await this.#scoring.open(projectId, scorer)
    const row = await this.#store.update({ project_id: projectId, rule_id: ruleId }, values)
    this.#active.clearCache()
    if (!row) throw new CairnError('not_found', 'rule not found')
    return toRule(row)
  }

  /** Deletes a rule and its waiting traces. Its scores stay. */
  async delete(projectId: string, ruleId: string): Promise<Deleted> {
    const found = await this.#store.delete({ project_id: projectId, rule_id: ruleId })
    this.#active.clearCache()
    if (!found) throw new CairnError('not_found', 'rule not found')
    return { success: true, message: 'rule deleted' }
  }
}

/** A rule cannot filter by scores, because a new trace has none. */
function ruleFilter(given: CreateRule['filter']): string {
  const filter = toFilter(given)
  if ((conditionsOf(filter).scores ?? []).length > 0) {
    throw new CairnError(
      'invalid_request',
      'filter: a rule cannot filter by scores, because a new trace has none; remove the score filters',
    )
  }
  return JSON.stringify(filter)
}

function toRow(projectId: string, request: CreateRule): RuleRow {
  const now = Date.now()
  return {
    project_id: projectId,
    rule_id: newId('rul_', now),
    name: storable(request.name.trim()),
    scorer: request.scorer,
    filter: ruleFilter(request.filter),
    sample_rate: request.sample_rate ?? 1,
    enabled: request.enabled === false ? 0 : 1,
    scored: 0,
    failed: 0,
    skipped: 0,
    score_sum: 0,
    cost: 0,
    last_scored_at: null,
    last_error: null,
    last_error_at: null,
    created_at: now,
    updated_at: now,
  }
}

function toRule(row: RuleRow): Rule {
  const { rule_id, name, scorer, sample_rate, scored, failed, skipped, cost, last_error } = row
  return {
    rule_id,
    name,
    scorer,
    filter: storedFilter(row.filter),
    sample_rate,
    enabled: row.enabled === 1,
    scored,
    failed,
    skipped,
    mean_score: scored === 0 ? null : row.score_sum / scored,
    cost,
    last_scored_at: toIsoOrNull(row.last_scored_at),
    last_error,
    last_error_at: toIsoOrNull(row.last_error_at),
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  }
}
