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
import { toIso } from '../../lib/time.ts'
import type { JudgeService } from '../scorers/index.ts'
import type { Arrivals } from '../traces/index.ts'
import { conditionsOf, storedFilter, toFilter } from './filter.ts'
import { isSampled } from './sample.ts'
import { type Arrived, arrivalInserts, type RuleRow, type RuleStore } from './store-rules.ts'

/** Another process may have changed a rule; this one notices within this time. */
const cacheMs = 5_000
const projectsCached = 10_000

/** What recording traces has to know of a rule. */
type ActiveRule = Pick<RuleRow, 'project_id' | 'rule_id' | 'sample_rate'>

const none: readonly ActiveRule[] = []

/** The rules by which traces are judged as they arrive, as far as recording them goes. */
export class ActiveRules implements Arrivals<ActiveRule> {
  readonly #store: Pick<RuleStore, 'list'>
  readonly #rules = new ExpiringCache<readonly ActiveRule[]>(cacheMs, projectsCached)
  /** Reads under way, so that the traces that arrive meanwhile wait for one and the same. */
  #loading = new Map<string, Promise<readonly ActiveRule[]>>()

  constructor(store: Pick<RuleStore, 'list'>) {
    this.#store = store
  }

  async rulesOf(projectId: string): Promise<readonly ActiveRule[]> {
    return (await this.#rules.getOrLoad(projectId, () => this.#loadOnce(projectId))) ?? none
  }

  inserts(arrived: readonly { rules: readonly ActiveRule[]; traceIds: readonly string[] }[]) {
    const byRule = new Map<string, Arrived & { traceIds: string[] }>()
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

  /** To be called after a change. A read that is under way may have missed it: nobody waits for it from now on. */
  forget(): void {
    this.#rules.clear()
    this.#loading = new Map()
  }

  #loadOnce(projectId: string): Promise<readonly ActiveRule[]> {
    const loading = this.#loading
    const underWay = loading.get(projectId)
    if (underWay) return underWay
    const load = this.#store
      .list(projectId)
      .then((rows) => rows.filter(({ enabled }) => enabled === 1))
      .finally(() => loading.delete(projectId))
    loading.set(projectId, load)
    return load
  }
}

/** Rules of a project: made, shown, changed and deleted. */
export class RuleService {
  readonly #store: RuleStore
  readonly #judges: Pick<JudgeService, 'open'>
  readonly #active: Pick<ActiveRules, 'forget'>

  constructor(store: RuleStore, judges: Pick<JudgeService, 'open'>, active: Pick<ActiveRules, 'forget'>) {
    this.#store = store
    this.#judges = judges
    this.#active = active
  }

  /** Traces that are recorded from now on are judged; `not_found` for an unknown scorer. */
  async create(projectId: string, request: CreateRule): Promise<Rule> {
    const row = toRow(projectId, request)
    await this.#judges.open(projectId, request.scorer)
    if ((await this.#store.list(projectId)).length >= limits.rulesPerProject) {
      const most = limits.rulesPerProject
      throw new CairnError('invalid_request', `a project has at most ${most} rules; delete one first`)
    }
    if ((await this.#store.insert(row)) === 'no_project') {
      throw new CairnError('not_found', 'project not found')
    }
    this.#active.forget()
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

  /** What is not named stays; a rule that is switched off forgets the traces that it has not judged. */
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
    if (scorer != null) await this.#judges.open(projectId, scorer)
    const row = await this.#store.update({ project_id: projectId, rule_id: ruleId }, values)
    this.#active.forget()
    if (!row) throw new CairnError('not_found', 'rule not found')
    return toRule(row)
  }

  /** What it has not judged is not judged any more; its scores stay. */
  async delete(projectId: string, ruleId: string): Promise<Deleted> {
    const found = await this.#store.delete({ project_id: projectId, rule_id: ruleId })
    this.#active.forget()
    if (!found) throw new CairnError('not_found', 'rule not found')
    return { success: true, message: 'rule deleted' }
  }
}

/** A trace that arrives has no score to be asked for. */
function ruleFilter(given: CreateRule['filter']): string {
  const filter = toFilter(given)
  if ((conditionsOf(filter).scores ?? []).length > 0) {
    throw new CairnError(
      'invalid_request',
      'filter: a rule cannot ask for scores, which no trace has when it arrives',
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

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : toIso(ms)
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
    last_scored_at: isoOrNull(row.last_scored_at),
    last_error,
    last_error_at: isoOrNull(row.last_error_at),
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  }
}
