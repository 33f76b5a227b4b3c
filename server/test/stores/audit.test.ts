import { expect, it } from 'vitest'
import { type AuditRow, createAuditStore } from '../../src/domains/audit/store.ts'
import { newId } from '../../src/lib/ids.ts'
import { describeEachDatabase } from '../databases.ts'

function entryRow(values: Partial<AuditRow> = {}): AuditRow {
  const now = values.created_at ?? Date.now()
  return {
    entry_id: newId('aud_', now),
    created_at: now,
    action: 'POST /v1/console/projects',
    params: '{}',
    project_id: null,
    body: 'null',
    remote_address: '127.0.0.1',
    status: null,
    ...values,
  }
}

describeEachDatabase('the audit store', (database) => {
  const store = () => createAuditStore(database.db)
  const all = { projectId: undefined, action: undefined }
  const first = { limit: 100, after: undefined }

  it('lists entries, newest first, by page, project and action', async () => {
    const rows = [
      entryRow({ created_at: 5, project_id: 'proj_a' }),
      entryRow({ created_at: 7, project_id: 'proj_a', action: 'DELETE /x' }),
      entryRow({ created_at: 7, project_id: 'proj_b', action: 'DELETE /x', params: '{"a":"\\u0000"}' }),
      entryRow({ created_at: 6 }),
    ]
    for (const row of rows) await store().insert(row)
    const sorted = [rows[2], rows[1], rows[3], rows[0]]
    expect(await store().list(all, first)).toEqual(sorted)
    expect(await store().list({ projectId: 'proj_a', action: undefined }, first)).toEqual([rows[1], rows[0]])
    expect(await store().list({ projectId: undefined, action: 'DELETE /x' }, first)).toEqual([
      rows[2],
      rows[1],
    ])
    expect(await store().list({ projectId: 'proj_a', action: 'DELETE /x' }, first)).toEqual([rows[1]])
    expect(await store().list({ projectId: 'proj_none', action: undefined }, first)).toEqual([])
    for (const [i, row] of sorted.entries()) {
      const after = { ms: row?.created_at ?? 0, id: row?.entry_id ?? '' }
      expect(await store().list(all, { limit: 2, after })).toEqual(sorted.slice(i + 1, i + 3))
    }
  })

  it('adds the outcome to one entry, and a project if the entry has none', async () => {
    const rows = [entryRow({ project_id: 'proj_c' }), entryRow(), entryRow(), entryRow()]
    for (const row of rows) await store().insert(row)
    const [named, unnamed, refused, open] = rows.map(({ entry_id }) => entry_id)
    await store().finish(named ?? '', { status: 200, projectId: 'proj_other' })
    await store().finish(unnamed ?? '', { status: 201, projectId: 'proj_new' })
    await store().finish(refused ?? '', { status: 400, projectId: null })
    const entries = await store().list(all, first)
    const outcome = (id: string | undefined) => {
      const found = entries.find(({ entry_id }) => entry_id === id)
      return [found?.status, found?.project_id]
    }
    expect(outcome(named)).toEqual([200, 'proj_c'])
    expect(outcome(unnamed)).toEqual([201, 'proj_new'])
    expect(outcome(refused)).toEqual([400, null])
    expect(outcome(open)).toEqual([null, null])
  })
})
