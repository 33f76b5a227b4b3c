import { expect, it } from 'vitest'
import { toNewTrace } from '../../src/domains/traces/facts.ts'
import { createImportStore, type ImportRow, progressUpsert } from '../../src/domains/traces/store/imports.ts'
import { createTraceStore } from '../../src/domains/traces/store.ts'
import { describeEachDatabase } from '../databases.ts'
import { addProject, newRecord } from '../rows.ts'

function row(projectId: string, values: Partial<ImportRow>): ImportRow {
  return {
    project_id: projectId,
    source: 'a hash',
    head_bytes: 10,
    bytes_from: 0,
    bytes_done: 0,
    lines_done: 0,
    imported: 0,
    rejected: 0,
    rejected_bytes: 0,
    updated_at: 0,
    ...values,
  }
}

describeEachDatabase('the progress of an import', (database) => {
  const imports = () => createImportStore(database.db)

  /** Writes one trace with the progress; returns the outcome. */
  function step(progress: ImportRow) {
    const trace = toNewTrace(progress.project_id, newRecord(), () => null)
    return createTraceStore(database.db).insert([trace], [progressUpsert(progress)])
  }

  async function tracesOf(projectId: string): Promise<number> {
    const page = { limit: 100, after: undefined }
    return (await createTraceStore(database.db).positions(projectId, {}, page)).length
  }

  it('advances with the traces, each step from the end of the previous step', async () => {
    const projectId = await addProject(database.db)
    const first = row(projectId, { bytes_done: 100, lines_done: 1, imported: 1 })
    const second = row(projectId, { bytes_from: 100, bytes_done: 250, lines_done: 2, imported: 2 })
    expect(await step(first)).toBe('inserted')
    expect(await imports().list(projectId)).toEqual([first])
    expect(await step(second)).toBe('inserted')
    expect(await imports().list(projectId)).toEqual([second])
    expect(await tracesOf(projectId)).toBe(2)
  })

  it('writes nothing for a repeated step or after a missing step', async () => {
    const projectId = await addProject(database.db)
    const first = row(projectId, { bytes_done: 100 })
    const second = row(projectId, { bytes_from: 100, bytes_done: 250 })
    await step(first)
    await step(second)
    for (const wrong of [first, second, row(projectId, { bytes_from: 300, bytes_done: 400 })]) {
      expect(await step(wrong)).toBe('import_conflict')
    }
    expect(await imports().list(projectId)).toEqual([second])
    expect(await tracesOf(projectId)).toBe(2)
  })

  it('accepts only one of two concurrent first steps', async () => {
    const projectId = await addProject(database.db)
    const outcomes = await Promise.all([1, 2].map(() => step(row(projectId, { bytes_done: 100 }))))
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'import_conflict')).toHaveLength(1)
    expect(await tracesOf(projectId)).toBe(1)
  })

  it('is stored per project and file, and deleted separately', async () => {
    const [mine, theirs] = [await addProject(database.db), await addProject(database.db)]
    const other = row(mine, { source: 'another hash', bytes_done: 5 })
    await step(row(mine, { bytes_done: 100 }))
    await step(other)
    await step(row(theirs, { bytes_done: 7 }))
    await imports().delete(mine, 'a hash')
    expect(await imports().list(mine)).toEqual([other])
    expect(await imports().list(theirs)).toEqual([row(theirs, { bytes_done: 7 })])
    expect(await tracesOf(mine)).toBe(2)
    expect(await step(row('proj_none', { bytes_done: 1 }))).toBe('no_project')
  })
})
