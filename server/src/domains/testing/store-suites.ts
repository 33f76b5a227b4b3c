import { type Db, insertedOr, type Tables } from '../../db/index.ts'
import { type Deletion, deletionOf } from '../../jobs/index.ts'
import type { Page } from '../../lib/cursor.ts'
import { inProject } from '../access/index.ts'

export type SuiteRow = Tables['test_suites']
export type CountedSuite = SuiteRow & { case_count: number }
export type CaseRow = Tables['test_cases']
export type SuiteChanges = Partial<Omit<SuiteRow, 'project_id' | 'suite_id' | 'created_at'>>
export type CaseChanges = Partial<Pick<CaseRow, 'query' | 'expected_answer' | 'category' | 'assertions'>>

export type SuiteStore = ReturnType<typeof createSuiteStore>

export function createSuiteStore(db: Db) {
  function suitesOf(projectId: string) {
    return db.read
      .selectFrom('test_suites')
      .selectAll('test_suites')
      .select((eb) =>
        eb
          .selectFrom('test_cases')
          .select((count) => count.fn.countAll<number>().as('count'))
          .where('test_cases.project_id', '=', projectId)
          .whereRef('test_cases.suite_id', '=', 'test_suites.suite_id')
          .as('case_count'),
      )
      .where('test_suites.project_id', '=', projectId)
  }

  const toCounted = (row: SuiteRow & { case_count: number | null }): CountedSuite => ({
    ...row,
    case_count: Number(row.case_count ?? 0),
  })

  return {
    insert(row: SuiteRow): Promise<'inserted' | 'no_project'> {
      return inProject(db, row.project_id, async (trx) => {
        await trx.insertInto('test_suites').values(row).execute()
        return 'inserted'
      })
    },

    /** Newest first. */
    async list(projectId: string, { limit, after }: Page): Promise<CountedSuite[]> {
      const all = suitesOf(projectId)
      const behind = after ? all.where('test_suites.suite_id', '<', after.id) : all
      const rows = await behind.orderBy('test_suites.suite_id', 'desc').limit(limit).execute()
      return rows.map(toCounted)
    },

    async find(projectId: string, suiteId: string): Promise<CountedSuite | undefined> {
      const row = await suitesOf(projectId).where('test_suites.suite_id', '=', suiteId).executeTakeFirst()
      return row && toCounted(row)
    },

    async count(projectId: string): Promise<number> {
      const { count } = await db.read
        .selectFrom('test_suites')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Returns false if the suite does not exist. */
    async update(projectId: string, suiteId: string, changes: SuiteChanges): Promise<boolean> {
      if (Object.keys(changes).length === 0) return (await this.find(projectId, suiteId)) !== undefined
      const result = await db.transaction((trx) =>
        trx
          .updateTable('test_suites')
          .set(changes)
          .where('project_id', '=', projectId)
          .where('suite_id', '=', suiteId)
          .executeTakeFirst(),
      )
      return result.numUpdatedRows > 0n
    },

    /** Deletes a suite; foreign keys cascade to its cases and runs. Returns false if the suite does not exist. */
    async delete(projectId: string, suiteId: string): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx
          .deleteFrom('test_suites')
          .where('project_id', '=', projectId)
          .where('suite_id', '=', suiteId)
          .executeTakeFirst(),
      )
      return result.numDeletedRows > 0n
    },

    insertCase(row: CaseRow): Promise<'inserted' | 'no_suite'> {
      const rows = { columns: Object.keys(row), rows: [Object.values(row)] }
      return insertedOr(db, { table: 'test_cases', ...rows }, { missing: 'no_suite' })
    },

    /** In the order of their creation. */
    listCases(projectId: string, suiteId: string, { limit, after }: Page): Promise<CaseRow[]> {
      const all = db.read
        .selectFrom('test_cases')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('suite_id', '=', suiteId)
      const behind = after ? all.where('case_id', '>', after.id) : all
      return behind.orderBy('case_id').limit(limit).execute()
    },

    findCase(projectId: string, suiteId: string, caseId: string): Promise<CaseRow | undefined> {
      return db.read
        .selectFrom('test_cases')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('suite_id', '=', suiteId)
        .where('case_id', '=', caseId)
        .executeTakeFirst()
    },

    async updateCase(row: Pick<CaseRow, 'project_id' | 'suite_id' | 'case_id'>, changes: CaseChanges) {
      if (Object.keys(changes).length === 0) return
      await db.transaction((trx) =>
        trx
          .updateTable('test_cases')
          .set(changes)
          .where('project_id', '=', row.project_id)
          .where('suite_id', '=', row.suite_id)
          .where('case_id', '=', row.case_id)
          .execute(),
      )
    },

    /** Deletes a case; its results stay. Returns false if the case does not exist. */
    async deleteCase(projectId: string, suiteId: string, caseId: string): Promise<boolean> {
      const result = await db.transaction((trx) =>
        trx
          .deleteFrom('test_cases')
          .where('project_id', '=', projectId)
          .where('suite_id', '=', suiteId)
          .where('case_id', '=', caseId)
          .executeTakeFirst(),
      )
      return result.numDeletedRows > 0n
    },
  }
}

/** The steps of a project's deletion that delete its suites, cases and runs. */
export function testDeletion(db: Db): Deletion['steps'] {
  return [
    deletionOf(db, {
      table: 'test_results',
      key: ['project_id', 'run_id', 'position'],
      column: 'project_id',
    }),
    deletionOf(db, { table: 'test_cases', key: ['project_id', 'suite_id', 'case_id'], column: 'project_id' }),
    deletionOf(db, { table: 'test_runs', key: ['project_id', 'run_id'], column: 'project_id' }),
  ]
}
