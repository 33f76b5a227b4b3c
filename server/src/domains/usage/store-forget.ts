import { sql } from 'kysely'
import type { Trx } from '../../db/index.ts'

const usageKey = ['project_id', 'day', 'chat_id', 'app_id', 'model', 'purpose'] as const
const usageSums = ['answers', 'prompt_tokens', 'completion_tokens', 'credits', 'cost', 'unpriced'] as const

/** Changes usage of a user to usage without a user. Rows are written in the order of their key to avoid deadlocks. */
export async function forgetUserInUsage(trx: Trx, projectId: string, userId: string): Promise<void> {
  const ofUser = trx
    .selectFrom('usage_days')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
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
