import type { ActivationAction } from '@cairn/contract'
import { type Db, outcomeOf, type Tables, type Trx } from '../../db/index.ts'
import { type Deletion, deletionOf } from '../../jobs/index.ts'
import type { Page } from '../../lib/cursor.ts'
import { inProject } from '../access/index.ts'
import { recordEvent } from '../events/index.ts'

export type VersionRow = Tables['versions']
export type VersionSummaryRow = Omit<VersionRow, 'project_id' | 'config'> & { is_active: boolean }
export type FoundVersion = VersionSummaryRow & Pick<VersionRow, 'config'>
export type ActivationRow = Omit<Tables['version_activations'], 'project_id'> & { version: string }

/** A new activation of a version. `activate` sets its time. */
interface Activation {
  projectId: string
  versionId: string
  version: string
  activationId: string
  action: ActivationAction
}

const eventTypes = { publish: 'version_published', rollback: 'version_rolled_back' } as const

export type VersionStore = ReturnType<typeof createVersionStore>

const summaryColumns = [
  'versions.version_id',
  'versions.version',
  'versions.description',
  'versions.created_at',
] as const

/**
 * Makes the version active, and writes the activation and its event. Returns the time in epoch milliseconds. The row in
 * `active_versions` is the lock that puts the activations of a project in order. Each one has a later time than the one
 * before, even if the clocks of several servers differ.
 */
async function activate(trx: Trx, activation: Activation): Promise<number> {
  const { projectId: project_id, versionId: version_id, activationId: activation_id, action } = activation
  // A new row gets its time below.
  const { activated_at: previousActivatedAt } = await trx
    .insertInto('active_versions')
    .values({ project_id, version_id, activated_at: 0 })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet((eb) => ({ version_id: eb.ref('excluded.version_id') })),
    )
    .returning('activated_at')
    .executeTakeFirstOrThrow()
  const activated_at = Math.max(Date.now(), previousActivatedAt + 1)
  // From the history, because `active_versions` already has the new version. Undefined at the first activation.
  const previous = await trx
    .selectFrom('version_activations')
    .select('version_id')
    .where('project_id', '=', project_id)
    .orderBy('activated_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  await trx
    .updateTable('active_versions')
    .set({ activated_at })
    .where('project_id', '=', project_id)
    .execute()
  await trx
    .insertInto('version_activations')
    .values({ project_id, activation_id, version_id, action, activated_at })
    .execute()
  const { version } = activation
  const previous_version_id = previous?.version_id ?? null
  await recordEvent(trx, {
    projectId: project_id,
    type: eventTypes[action],
    data: { version_id, version, previous_version_id, timestamp: activated_at },
    createdMs: activated_at,
  })
  return activated_at
}

export function createVersionStore(db: Db) {
  /** Versions of a project. `active_since` is the activation time of the active version, null for all others. */
  function versionsOf(projectId: string) {
    return db.read
      .selectFrom('versions')
      .leftJoin('active_versions', (join) =>
        join
          .onRef('active_versions.project_id', '=', 'versions.project_id')
          .onRef('active_versions.version_id', '=', 'versions.version_id'),
      )
      .where('versions.project_id', '=', projectId)
      .select([...summaryColumns, 'active_versions.activated_at as active_since'])
  }

  return {
    /**
     * Writes the version and makes it active, in one transaction. Returns `taken` if the project has a version of this name,
     * `no_project` if there is no such project.
     */
    publish(row: VersionRow, activationId: string): Promise<'published' | 'taken' | 'no_project'> {
      const { project_id: projectId, version_id: versionId, version } = row
      const work = () =>
        inProject(db, projectId, async (trx): Promise<'published'> => {
          await trx.insertInto('versions').values(row).execute()
          await activate(trx, { projectId, versionId, version, activationId, action: 'publish' })
          return 'published'
        })
      return outcomeOf(work, { duplicate: 'taken' })
    },

    /** Makes a version active again. Returns it with the time, or undefined if the project has no such version. */
    rollback(
      projectId: string,
      versionId: string,
      activationId: string,
    ): Promise<{ version: string; activated_at: number } | undefined> {
      return db.transaction(async (trx) => {
        const found = await trx
          .selectFrom('versions')
          .select('version')
          .where('project_id', '=', projectId)
          .where('version_id', '=', versionId)
          .executeTakeFirst()
        if (!found) return undefined
        const { version } = found
        const activation = { projectId, versionId, version, activationId, action: 'rollback' as const }
        return { version, activated_at: await activate(trx, activation) }
      })
    },

    /** Newest first. */
    async list(projectId: string, { limit, after }: Page): Promise<VersionSummaryRow[]> {
      const all = versionsOf(projectId)
      const behind = after
        ? all.where((eb) =>
            eb(eb.refTuple('versions.created_at', 'versions.version_id'), '<', eb.tuple(after.ms, after.id)),
          )
        : all
      const rows = await behind
        .orderBy('versions.created_at', 'desc')
        .orderBy('versions.version_id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ active_since, ...row }) => ({ ...row, is_active: active_since !== null }))
    },

    async find(projectId: string, versionId: string): Promise<FoundVersion | undefined> {
      const found = await versionsOf(projectId)
        .select('versions.config')
        .where('versions.version_id', '=', versionId)
        .executeTakeFirst()
      if (!found) return undefined
      const { active_since, ...row } = found
      return { ...row, is_active: active_since !== null }
    },

    async findActive(projectId: string): Promise<FoundVersion | undefined> {
      const found = await versionsOf(projectId)
        .select('versions.config')
        .where('active_versions.version_id', 'is not', null)
        .executeTakeFirst()
      if (!found) return undefined
      const { active_since: _, ...row } = found
      return { ...row, is_active: true }
    },

    /** Newest first; `after` is the last activation of the previous page. */
    history(projectId: string, page: Page): Promise<ActivationRow[]> {
      const { limit, after } = page
      let query = db.read
        .selectFrom('version_activations as activations')
        .innerJoin('versions', (join) =>
          join
            .onRef('versions.project_id', '=', 'activations.project_id')
            .onRef('versions.version_id', '=', 'activations.version_id'),
        )
        .where('activations.project_id', '=', projectId)
        .select([
          'activations.activation_id',
          'activations.version_id',
          'activations.action',
          'activations.activated_at',
          'versions.version',
        ])
      // No two activations of a project have the same time.
      if (after) query = query.where('activations.activated_at', '<', after.ms)
      return query.orderBy('activations.activated_at', 'desc').limit(limit).execute()
    },
  }
}

/**
 * The steps of a project's deletion that delete its versions. The deletion of the active version cascades to
 * `active_versions`.
 */
export function versionDeletion(db: Db): Deletion['steps'] {
  return [
    deletionOf(db, {
      table: 'version_activations',
      key: ['project_id', 'activation_id'],
      column: 'project_id',
    }),
    deletionOf(db, { table: 'versions', key: ['project_id', 'version_id'], column: 'project_id' }),
  ]
}
