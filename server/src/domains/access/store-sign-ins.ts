import type { Db } from '../../db/index.ts'

export interface SignInRow {
  secret_hash: string
  created_at: number
  expires_at: number
}

export type SignInStore = ReturnType<typeof createSignInStore>

/** Sessions of the dashboard; they belong to no project. Times are epoch milliseconds. */
export function createSignInStore(db: Db) {
  return {
    /** Also deletes expired sessions. */
    async insert(row: SignInRow): Promise<void> {
      await db.transaction(async (trx) => {
        await trx.deleteFrom('sign_ins').where('expires_at', '<=', row.created_at).execute()
        await trx.insertInto('sign_ins').values(row).execute()
      })
    },

    find(hash: string): Promise<SignInRow | undefined> {
      return db.read.selectFrom('sign_ins').selectAll().where('secret_hash', '=', hash).executeTakeFirst()
    },

    async delete(hash: string): Promise<void> {
      await db.transaction((trx) => trx.deleteFrom('sign_ins').where('secret_hash', '=', hash).execute())
    },
  }
}
