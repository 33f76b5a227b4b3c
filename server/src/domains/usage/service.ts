import {
  CairnError,
  limits,
  type UsageGroup,
  type UsageQuery,
  type UsageReport,
  type UsageRow,
  usageGroups,
} from '@cairn/contract'
import { withoutNoise } from '../../lib/amounts.ts'
import { toIso } from '../../lib/time.ts'
import { dayMs, floorTo, parsePeriod } from '../rollups/index.ts'
import type { GroupedUsage, UsageStore, UsageSums } from './store.ts'

const defaultDays = 30

/** The whole days that contain the period (epoch ms, `toDay` exclusive); by default the last 30 days up to today. */
function daysOf(query: UsageQuery): { fromDay: number; toDay: number } {
  const { startMs, endMs } = parsePeriod(query)
  const end = endMs ?? Math.max(Date.now() + 1, startMs ?? 0)
  const toDay = floorTo(end - 1, dayMs) + dayMs
  return { fromDay: startMs === undefined ? toDay - defaultDays * dayMs : floorTo(startMs, dayMs), toDay }
}

function parseGroups(given: UsageQuery['group_by'], allowed: readonly UsageGroup[]): UsageGroup[] {
  const names = [given ?? []].flat().flatMap((text) => text.split(',').map((name) => name.trim()))
  const groups = names.map((name) => {
    const group = allowed.find((known) => known === name)
    if (group) return group
    throw new CairnError('invalid_request', `group_by must be one or more of ${allowed.join(', ')}`)
  })
  return allowed.filter((group) => groups.includes(group))
}

function toSums({ answers, prompt_tokens, completion_tokens, credits, cost, unpriced }: UsageSums) {
  return {
    answers,
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    credits: withoutNoise(credits),
    cost: withoutNoise(cost),
    unpriced,
  }
}

const orNull = (id: string) => (id === '' ? null : id)

/** Contains only ids and numbers, no questions or answers of users. */
function toRow(row: GroupedUsage): UsageRow {
  const { project_id, chat_id, app_id, user_id, model, purpose, day } = row
  return {
    ...(project_id !== undefined && { project_id }),
    ...(chat_id !== undefined && { chat_id: orNull(chat_id) }),
    ...(app_id !== undefined && { app_id: orNull(app_id) }),
    ...(user_id !== undefined && { user_id: orNull(user_id) }),
    ...(model !== undefined && { model }),
    ...(purpose !== undefined && { purpose: purpose as NonNullable<UsageRow['purpose']> }),
    ...(day !== undefined && { day: toIso(day).slice(0, 10) }),
    ...toSums(row),
  }
}

/** Tokens, credits and costs of answers and scorings. */
export class UsageService {
  readonly #store: UsageStore

  constructor(store: UsageStore) {
    this.#store = store
  }

  /** The report of all projects, or of the project in the query. */
  report(query: UsageQuery): Promise<UsageReport> {
    return this.#report(query, usageGroups)
  }

  reportOf(projectId: string, query: UsageQuery): Promise<UsageReport> {
    const groups = usageGroups.filter((group) => group !== 'project')
    return this.#report({ ...query, project_id: projectId }, groups)
  }

  async #report(query: UsageQuery, allowed: readonly UsageGroup[]): Promise<UsageReport> {
    const { project_id, chat_id, app_id, user_id, model, purpose, limit = limits.listMax } = query
    const groups = parseGroups(query.group_by, allowed)
    const { fromDay, toDay } = daysOf(query)
    const conditions = {
      fromDay,
      toDay,
      projectId: project_id,
      chatId: chat_id,
      appId: app_id,
      userId: user_id,
      model,
      purpose,
    }
    // One additional row shows whether there are more.
    const rows = groups.length === 0 ? [] : await this.#store.grouped(conditions, groups, limit + 1)
    return {
      period_start: toIso(fromDay),
      period_end: toIso(toDay),
      group_by: groups,
      rows: rows.slice(0, limit).map(toRow),
      total: toSums(await this.#store.total(conditions)),
      truncated: rows.length > limit,
    }
  }
}
