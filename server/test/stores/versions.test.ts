import { expect, it } from 'vitest'
import { createVersionStore, type VersionRow } from '../../src/domains/versions/store.ts'
import { newId } from '../../src/lib/ids.ts'
import { describeEachDatabase } from '../databases.ts'
import { addProject, deleteProject } from '../rows.ts'

function versionRow(projectId: string, values: Partial<VersionRow> = {}): VersionRow {
  return {
    project_id: projectId,
    version_id: newId('ver_'),
    version: '1.0.0',
    description: null,
    config: null,
    created_at: Date.now(),
    ...values,
  }
}

describeEachDatabase('the versions store', (database) => {
  const store = () => createVersionStore(database.db)

  async function publish(projectId: string, version: string, created_at = Date.now()): Promise<string> {
    const row = versionRow(projectId, { version, created_at })
    await store().publish(row, newId('act_'))
    return row.version_id
  }

  const list = (projectId: string) => store().list(projectId, { limit: 100, after: undefined })

  const history = (projectId: string, limit = 100, ms?: number) =>
    store().history(projectId, { limit, after: ms === undefined ? undefined : { ms, id: '' } })

  it('publishes a version with unchanged bytes as the active version', async () => {
    const projectId = await addProject(database.db)
    const config = Buffer.from([0, 255, 123, 10])
    const row = versionRow(projectId, { config, description: 'ü', created_at: 5 })
    await store().publish(row, newId('act_'))
    const found = await store().find(projectId, row.version_id)
    expect(Buffer.from(found?.config ?? [])).toEqual(config)
    const { project_id, config: _, ...summary } = row
    expect(found).toMatchObject({ ...summary, is_active: true })
    expect(await list(project_id)).toEqual([{ ...summary, is_active: true }])
    expect(await store().find(await addProject(database.db), row.version_id)).toBeUndefined()
  })

  it('lists newest first, by id within a millisecond', async () => {
    const projectId = await addProject(database.db)
    const times = [7, 9, 7, 8]
    const ids = []
    for (const [i, ms] of times.entries()) ids.push(await publish(projectId, `1.0.${i}`, ms))
    const listed = await list(projectId)
    expect(listed.map(({ version_id }) => version_id)).toEqual([ids[1], ids[3], ids[2], ids[0]])
    expect(listed.filter(({ is_active }) => is_active).map(({ version }) => version)).toEqual(['1.0.3'])
  })

  it('writes a publication completely or not at all', async () => {
    const projectId = await addProject(database.db)
    const first = await publish(projectId, '1.0.0')
    const [{ activation_id = '' } = {}] = await history(projectId)
    const again = versionRow(projectId, { version: '1.0.0' })
    expect(await store().publish(again, newId('act_'))).toBe('taken')
    // The activation is the last statement. If it fails, the version and the active version are rolled back.
    const last = await store().publish(versionRow(projectId, { version: '2.0.0' }), activation_id)
    expect(last).toBe('taken')
    expect((await list(projectId)).map(({ version }) => version)).toEqual(['1.0.0'])
    expect((await store().find(projectId, first))?.is_active).toBe(true)
    expect(await history(projectId)).toHaveLength(1)
    expect(await store().publish(versionRow('proj_none', {}), newId('act_'))).toBe('no_project')
  })

  it('rolls back only to a version of the same project', async () => {
    const projectId = await addProject(database.db)
    const other = await addProject(database.db)
    const first = await publish(projectId, '1.0.0')
    await publish(projectId, '2.0.0')
    const theirs = await publish(other, '3.0.0')
    const done = await store().rollback(projectId, first, newId('act_'))
    expect(done?.version).toBe('1.0.0')
    expect((await store().find(projectId, first))?.is_active).toBe(true)
    expect(await store().rollback(projectId, theirs, newId('act_'))).toBeUndefined()
    expect(await store().rollback(projectId, 'ver_none', newId('act_'))).toBeUndefined()
    expect((await history(projectId)).map(({ action, version }) => [action, version])).toEqual([
      ['rollback', '1.0.0'],
      ['publish', '2.0.0'],
      ['publish', '1.0.0'],
    ])
    expect((await history(projectId))[0]?.activated_at).toBe(done?.activated_at)
    expect((await list(other)).map(({ is_active }) => is_active)).toEqual([true])
  })

  it('gives each activation a later time than the previous one, also if the clock is behind', async () => {
    const projectId = await addProject(database.db)
    const versionId = await publish(projectId, '1.0.0')
    const ahead = Date.now() + 3_600_000
    await database.db.transaction((trx) =>
      trx
        .updateTable('active_versions')
        .set({ activated_at: ahead })
        .where('project_id', '=', projectId)
        .execute(),
    )
    const times = []
    for (let i = 0; i < 3; i++) {
      times.push((await store().rollback(projectId, versionId, newId('act_')))?.activated_at)
    }
    expect(times).toEqual([ahead + 1, ahead + 2, ahead + 3])
    expect((await history(projectId, 2)).map((row) => row.activated_at)).toEqual([ahead + 3, ahead + 2])
    expect((await history(projectId, 2, ahead + 2)).map((row) => row.activated_at)[0]).toBe(ahead + 1)
  })

  it('deletes versions with their project', async () => {
    const projectId = await addProject(database.db)
    const id = await publish(projectId, '1.0.0')
    await store().rollback(projectId, id, newId('act_'))
    expect(await deleteProject(database.db, projectId)).toBe(true)
    expect(await list(projectId)).toEqual([])
    expect(await history(projectId)).toEqual([])
    const left = await database.db.read
      .selectFrom('active_versions')
      .selectAll()
      .where('project_id', '=', projectId)
      .execute()
    expect(left).toEqual([])
  })
})
