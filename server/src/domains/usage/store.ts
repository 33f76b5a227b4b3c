import type { UsageGroup, UsagePurpose } from '@cairn/contract'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Tables } from '../../db/index.ts'
import { type Deletion, deletionOf } from '../../jobs/index.ts'

/** Conditions on usage; undefined fields do not filter. A day is its midnight in UTC, in epoch milliseconds. */
export interface UsageConditions {
  fromDay: number
  /** Exclusive. */
  toDay: number
  projectId?: string | undefined
  chatId?: string | undefined
  appId?: string | undefined
  userId?: string | undefined
  model?: string | undefined
  purpose?: UsagePurpose | undefined
}

const summed = ['answers', 'prompt_tokens', 'completion_tokens', 'credits', 'cost', 'unpriced'] as const

export type UsageSums = Record<(typeof summed)[number], number>

export type GroupedUsage = UsageSums & Partial<Pick<Tables['usage_days'], GroupColumn>>

const columnOf = {
  project: 'project_id',
  chat: 'chat_id',
  app: 'app_id',
  user: 'user_id',
  model: 'model',
  purpose: 'purpose',
  day: 'day',
} as const satisfies Record<UsageGroup, keyof Tables['usage_days']>

type GroupColumn = (typeof columnOf)[UsageGroup]

type Query<O> = SelectQueryBuilder<Tables, 'usage_days', O>

function where<O>(query: Query<O>, conditions: UsageConditions): Query<O> {
  const equal = [
    ['project_id', conditions.projectId],
    ['chat_id', conditions.chatId],
    ['app_id', conditions.appId],
    ['user_id', conditions.userId],
    ['model', conditions.model],
    ['purpose', conditions.purpose],
  ] as const
  const ofPeriod = query
    .where('day', '>=', conditions.fromDay)
    .where('day', '<', conditions.toDay)
    // Projects in deletion are hidden.
    .where('project_id', 'in', (eb) => eb.selectFrom('projects').select('project_id'))
  return equal.reduce(
    (narrowed, [column, value]) => (value === undefined ? narrowed : narrowed.where(column, '=', value)),
    ofPeriod,
  )
}

export type UsageStore = ReturnType<typeof createUsageStore>

export function createUsageStore(db: Db) {
  const sums = (conditions: UsageConditions) =>
    where(db.read.selectFrom('usage_days'), conditions).select((eb) =>
      summed.map((name) => eb.fn.coalesce(eb.fn.sum<number>(name), sql<number>`0`).as(name)),
    )

  return {
    /** Sums by group, ordered by day if grouped by day, and then by credits in descending order. */
    async grouped(
      conditions: UsageConditions,
      groups: readonly UsageGroup[],
      limit: number,
    ): Promise<GroupedUsage[]> {
      const columns = groups.map((group) => columnOf[group])
      let query = sums(conditions).select(columns).groupBy(columns)
      if (groups.includes('day')) query = query.orderBy('day')
      query = query.orderBy(sql.ref('credits'), 'desc')
      for (const column of columns) query = query.orderBy(column)
      return (await query.limit(limit).execute()) as GroupedUsage[]
    },

    total: (conditions: UsageConditions): Promise<UsageSums> => sums(conditions).executeTakeFirstOrThrow(),
  }
}

/** The steps of a project's deletion that delete its usage. */
export function usageDeletion(db: Db): Deletion['steps'] {
  return [
    deletionOf(db, {
      table: 'usage_days',
      key: ['project_id', 'day', 'chat_id', 'app_id', 'user_id', 'model', 'purpose'],
      column: 'project_id',
    }),
  ]
}
