import { type Db, lockRows, type Trx } from '../../db/index.ts'
import { deleteUserBudgets } from '../credits/index.ts'
import { forgetUserInEvents } from '../events/index.ts'
import { forgetUserInUsage } from '../usage/index.ts'

export interface UserKey {
  projectId: string
  appId: string
  userId: string
}

/**
 * Removes every reference to a user outside their chat. It locks the user's row. The charge of an answer in progress is
 * therefore written either before, and is included here, or afterwards, and then has no user.
 * Returns false if the user does not exist.
 */
export async function forgetUser(db: Db, trx: Trx, { projectId, appId, userId }: UserKey): Promise<boolean> {
  const user = trx
    .selectFrom('app_users')
    .select('user_id')
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
  if (!(await lockRows(db.dialect, user).executeTakeFirst())) return false
  await forgetUserInEvents(trx, projectId, userId)
  await forgetUserInUsage(trx, projectId, userId)
  await deleteUserBudgets(trx, projectId, userId)
  return true
}
