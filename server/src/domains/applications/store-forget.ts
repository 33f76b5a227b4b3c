import { sql } from 'kysely'
import type { Trx } from '../../db/index.ts'

interface GoingUser {
  projectId: string
  userId: string
}

const usageKey = ['project_id', 'day', 'chat_id', 'app_id', 'model', 'purpose'] as const
const usageSums = ['answers', 'prompt_tokens', 'completion_tokens', 'credits', 'cost', 'unpriced'] as const

/** Takes a user out of all that names them beside their chat, which takes with it what hangs on it. */
export async function forgetUser(trx: Trx, user: GoingUser): Promise<void> {
  await forgetEvents(trx, user)
  await forgetUsage(trx, user)
  // With what was spent of them, by their foreign keys.
  await trx
    .deleteFrom('budgets')
    .where('project_id', '=', user.projectId)
    .where('scope', '=', 'user')
    .where('scope_id', '=', user.userId)
    .execute()
}

/** What the project's log says of their budgets; what they did themselves goes with their chat. */
async function forgetEvents(trx: Trx, { projectId, userId }: GoingUser): Promise<void> {
  await trx
    .deleteFrom('events')
    .where('project_id', '=', projectId)
    .where('type', '=', 'budget_exceeded')
    .where('data', 'like', `%"scope_id":"${userId}"%`)
    .execute()
}

/** The sums stay, as of no user. Rows are written in the order of their key, as everywhere. */
async function forgetUsage(trx: Trx, { projectId, userId }: GoingUser): Promise<void> {
  const ofUser = trx
    .selectFrom('usage_days')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .select([...usageKey, sql<string>`cast('' as text)`.as('user_id'), ...usageSums])
    .orderBy('day')
    .orderBy('chat_id')
    .orderBy('app_id')
    .orderBy('model')
    .orderBy('purpose')
  await trx
    .insertInto('usage_days')
    .columns([...usageKey, 'user_id', ...usageSums])
    .expression(ofUser)
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
  await trx
    .deleteFrom('usage_days')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute()
}
