import { type CompiledQuery, sql } from 'kysely'
import type { Db, RowInsert } from '../../db/index.ts'
import { dayMs, floorTo } from '../rollups/index.ts'
import type { Charge } from './charge.ts'

const keyColumns = ['project_id', 'day', 'chat_id', 'app_id', 'user_id', 'model', 'purpose'] as const
const sumColumns = ['answers', 'prompt_tokens', 'completion_tokens', 'credits', 'cost', 'unpriced'] as const
const columns = [...keyColumns, ...sumColumns]

const addOnConflict = `on conflict (${keyColumns.join(', ')}) do update set ${sumColumns
  .map((name) => `${name} = usage_days.${name} + excluded.${name}`)
  .join(', ')}`

function keyOf({ payer, requestedMs, model, purpose }: Charge): (string | number)[] {
  const { projectId, chatId, appId, userId } = payer
  return [projectId, floorTo(requestedMs, dayMs), chatId ?? '', appId ?? '', userId ?? '', model, purpose]
}

function sumsOf({ answers, promptTokens, completionTokens, credits, cost }: Charge): number[] {
  return [answers, promptTokens, completionTokens, credits, cost ?? 0, cost === null ? answers : 0]
}

/** Sums the amounts of the items by key, sorted by key, so that all transactions lock rows in the same order. */
export function sumByKey<T>(
  items: readonly T[],
  keyOf: (item: T) => readonly (string | number)[],
  amountsOf: (item: T) => readonly number[],
): { key: readonly (string | number)[]; amounts: number[] }[] {
  const sums = new Map<string, { key: readonly (string | number)[]; amounts: number[] }>()
  for (const item of items) {
    const key = keyOf(item)
    const text = JSON.stringify(key)
    const amounts = amountsOf(item)
    const sum = sums.get(text)
    if (sum)
      for (const [index, amount] of amounts.entries()) sum.amounts[index] = (sum.amounts[index] ?? 0) + amount
    else sums.set(text, { key, amounts: [...amounts] })
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

function usageRows(charges: readonly Charge[]): RowInsert['rows'] {
  const used = charges.filter(({ answers }) => answers > 0)
  return sumByKey(used, keyOf, sumsOf).map(({ key, amounts }) => [...key, ...amounts])
}

/**
 * The statements that write usage of end users. Usage of a user deleted meanwhile is recorded without a user. The user's row
 * is locked: a deletion either commits before, or runs afterwards and removes the user from these rows.
 */
function usageOfUsers(db: Db, charges: readonly Charge[]): CompiledQuery[] {
  const used = charges.filter(({ answers }) => answers > 0)
  if (used.length === 0) return []
  const userIds = used.map(({ payer }) => payer.userId ?? '')
  const known = db.read.selectFrom('app_users').select('user_id').where('user_id', 'in', userIds)
  const locked = known.orderBy('user_id').forKeyShare()
  const upserts = usageRows(used).map((row) => {
    const values = columns.map((name, index) => {
      const value = sql`${row[index]}`
      if (name !== 'user_id') return value
      return sql`coalesce((select user_id from app_users where user_id = ${value}), '')`
    })
    return sql`insert into usage_days (${sql.raw(columns.join(', '))}) values (${sql.join(values)}) ${sql.raw(addOnConflict)}`
  })
  const statements = upserts.map((upsert) => upsert.compile(db.read))
  return db.dialect === 'postgres' ? [locked.compile(), ...statements] : statements
}

/** The statements that write the usage of charges, for `Db.insertAll` in the transaction that stores the results. */
export function usageStatements(
  db: Db,
  charges: readonly Charge[],
): { inserts: RowInsert[]; after: CompiledQuery[] } {
  const [ofUsers, others] = [true, false].map((isUser) =>
    charges.filter(({ payer }) => (payer.userId !== null) === isUser),
  )
  return {
    inserts: [{ table: 'usage_days', columns, rows: usageRows(others ?? []), conflict: addOnConflict }],
    after: usageOfUsers(db, ofUsers ?? []),
  }
}
