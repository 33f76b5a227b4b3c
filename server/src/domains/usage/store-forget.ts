import { sql } from 'kysely'
import type { Db, Trx } from '../../db/index.ts'

/** End users who are about to be deleted: one, or all of a chat's applications. */
export type GoingUsers =
  | { projectId: string; appId: string; userId: string }
  | { projectId: string; parentChatId: string }

const usageKey = ['project_id', 'day', 'chat_id', 'app_id', 'model', 'purpose'] as const
const usageSums = ['answers', 'prompt_tokens', 'completion_tokens', 'credits', 'cost', 'unpriced'] as const

function idsOf(trx: Trx, users: GoingUsers) {
  const ids = trx.selectFrom('app_users').select('app_users.user_id')
  if ('userId' in users)
    return ids.where('app_users.app_id', '=', users.appId).where('app_users.user_id', '=', users.userId)
  return ids
    .innerJoin('applications', 'applications.app_id', 'app_users.app_id')
    .where('applications.chat_id', '=', users.parentChatId)
}

/**
 * Takes users out of all that names them beside their chats, which take with them what hangs on them. Their rows stay
 * locked: an answer that is under way is charged before this, and counted here, or behind it, and to nobody.
 */
export async function forgetUsers(db: Db, trx: Trx, users: GoingUsers): Promise<void> {
  const ids = idsOf(trx, users)
  const inOrder = ids.orderBy('app_users.user_id')
  const found = await (db.dialect === 'postgres' ? inOrder.forUpdate('app_users') : inOrder).execute()
  if (found.length === 0) return
  await forgetEvents(trx, users.projectId, ids)
  await forgetUsage(trx, users.projectId, ids)
  // With what was spent of them, by their foreign keys.
  await trx
    .deleteFrom('budgets')
    .where('project_id', '=', users.projectId)
    .where('scope', '=', 'user')
    .where('scope_id', 'in', ids)
    .execute()
}

type UserIds = ReturnType<typeof idsOf>

/** What the project's log says of their budgets; what they did themselves goes with their chats. */
async function forgetEvents(trx: Trx, projectId: string, ids: UserIds): Promise<void> {
  await trx
    .deleteFrom('events')
    .where('project_id', '=', projectId)
    .where('type', '=', 'budget_exceeded')
    .where((eb) =>
      eb.exists(ids.where(sql<boolean>`events.data like '%"scope_id":"' || app_users.user_id || '"%'`)),
    )
    .execute()
}

/** The sums stay, as of no user. Rows are written in the order of their key, as everywhere. */
async function forgetUsage(trx: Trx, projectId: string, ids: UserIds): Promise<void> {
  const ofUsers = trx
    .selectFrom('usage_days')
    .where('project_id', '=', projectId)
    .where('user_id', 'in', ids)
    .groupBy([...usageKey])
    .select([...usageKey, sql<string>`cast('' as text)`.as('user_id')])
    .select(({ fn }) => usageSums.map((name) => fn.sum<number>(name).as(name)))
    .orderBy('day')
    .orderBy('chat_id')
    .orderBy('app_id')
    .orderBy('model')
    .orderBy('purpose')
  await trx
    .insertInto('usage_days')
    .columns([...usageKey, 'user_id', ...usageSums])
    .expression(ofUsers)
    .onConflict((conflict) =>
      conflict
        .columns([...usageKey, 'user_id'])
        .doUpdateSet(
          Object.fromEntries(
            usageSums.map((name) => [
              name,
              sql`${sql.ref(`usage_days.${name}`)} + excluded.${sql.ref(name)}`,
            ]),
          ),
        ),
    )
    .execute()
  await trx.deleteFrom('usage_days').where('project_id', '=', projectId).where('user_id', 'in', ids).execute()
}
