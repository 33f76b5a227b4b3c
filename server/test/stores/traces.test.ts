import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createScoreStore } from '../../src/domains/scores/store.ts'
import { encodeCursor, parseTraceCursor } from '../../src/domains/traces/cursor.ts'
import { toNewTrace } from '../../src/domains/traces/facts.ts'
import { decodeStored } from '../../src/domains/traces/record.ts'
import type { TraceConditions, TracePosition } from '../../src/domains/traces/store/conditions.ts'
import { createTraceStore } from '../../src/domains/traces/store.ts'
import { newId } from '../../src/lib/ids.ts'
import { describeEachDatabase } from '../databases.ts'

import { addProject, newRecord } from '../rows.ts'

const iso = (ms: number) => new Date(ms).toISOString()

/** Optional columns of a score. */
const bare = {
  comment: null,
  cost: null,
  source: null,
  source_id: null,
  scorer: null,
  method: null,
  model: null,
  span_id: null,
}

describeEachDatabase('the traces store', (database) => {
  const store = () => createTraceStore(database.db)
  const scores = () => createScoreStore(database.db)
  const prepare = (projectId: string, record: ReturnType<typeof newRecord>) =>
    toNewTrace(projectId, record, () => null)

  async function add(projectId: string, ...values: Parameters<typeof newRecord>[0][]): Promise<string[]> {
    const traces = values.map((value) => prepare(projectId, newRecord(value)))
    await store().insert(traces)
    return traces.map(({ traceId }) => traceId)
  }

  it('returns the body of a trace, only in its project', async () => {
    const [mine, theirs] = [await addProject(database.db), await addProject(database.db)]
    const record = newRecord({
      input: 'a\0\ud800"',
      metadata: { b: [1, null] },
      model: 'm\0',
      session_id: 's\0',
    })
    await store().insert([prepare(mine, record)])
    const [stored] = await store().load(mine, [record.trace_id])
    expect(stored && decodeStored(stored)).toEqual(record)
    expect(await store().load(theirs, [record.trace_id])).toEqual([])
    expect(await store().load(mine, ['trc_none'])).toEqual([])
  })

  it('leaves no rows of deleted traces', async () => {
    const projectId = await addProject(database.db)
    const ids = await add(
      projectId,
      { tags: ['a', 'b'], custom_attributes: { plan: { name: 'pro' } }, model: 'm', latency_ms: 1, cost: 1 },
      { tags: ['a'], version: '1', created_at: '1969-12-31' },
    )
    const ofScore = { project_id: projectId, trace_id: ids[0] ?? '', score_id: newId('scr_') }
    await scores().insert({ ...ofScore, name: 'x', value: 1, created_at: 1, ...bare })
    expect(await store().delete(projectId, ids)).toBe(2)
    for (const table of ['traces', 'trace_bodies', 'trace_labels', 'scores', 'rollups'] as const) {
      const left = await database.db.read
        .selectFrom(table)
        .selectAll()
        .where('project_id', '=', projectId)
        .execute()
      expect(left, table).toEqual([])
    }
  })

  it('writes all traces of a call, or none', async () => {
    const projectId = await addProject(database.db)
    const [good, again] = [prepare(projectId, newRecord()), prepare(projectId, newRecord())]
    const orphan = prepare('proj_none', newRecord())
    expect(await store().insert([good, orphan])).toBe('no_project')
    await store().insert([again])
    expect(await store().insert([good, again])).toBe('taken')
    const page = { limit: 10, after: undefined }
    expect((await store().positions(projectId, {}, page)).map(({ traceId }) => traceId)).toEqual([
      again.traceId,
    ])
    await store().insert([])
  })

  it('lists all traces in pages, for any page size and filter', async () => {
    const project = addProject(database.db)
    const traceOf = fc.record({ at: fc.integer({ min: 0, max: 6 }), failed: fc.boolean() })
    const bound = fc.option(fc.integer({ min: 0, max: 7 }), { nil: undefined })
    const filters = fc.record({
      status: fc.constantFrom(undefined, 'success' as const, 'error' as const),
      startMs: bound,
      endMs: bound,
    })
    const added: { id: string; at: number; failed: boolean }[] = []
    await fc.assert(
      fc.asyncProperty(
        fc.array(traceOf, { maxLength: 4 }),
        fc.integer({ min: 1, max: 9 }),
        filters,
        async (more, limit, conditions) => {
          const projectId = await project
          const requests = more.map(
            ({ at, failed }) => ({ created_at: iso(at), status: failed ? 'error' : 'success' }) as const,
          )
          const ids = await add(projectId, ...requests)
          added.push(...more.map((trace, i) => ({ ...trace, id: ids[i] ?? '' })))
          const expected = added
            .filter(({ at, failed }) => matches(conditions, at, failed))
            .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
          expect(await allPages(projectId, conditions, limit)).toEqual(expected.map(({ id }) => id))
        },
      ),
      { numRuns: 40 },
    )
  })

  function matches({ status, startMs, endMs }: TraceConditions, at: number, failed: boolean): boolean {
    if (status !== undefined && (status === 'error') !== failed) return false
    return at >= (startMs ?? at) && at < (endMs ?? at + 1)
  }

  async function allPages(projectId: string, conditions: TraceConditions, limit: number): Promise<string[]> {
    const ids: string[] = []
    for (let after: TracePosition | undefined; ; ) {
      const rows = await store().positions(projectId, conditions, { limit, after })
      ids.push(...rows.map(({ traceId }) => traceId))
      const last = rows.at(-1)
      if (!last || rows.length < limit) return ids
      after = parseTraceCursor(encodeCursor(last))
      expect(after).toEqual(last)
    }
  }

  it('lists scores of one trace, newest first, and rejects scores without a trace', async () => {
    const projectId = await addProject(database.db)
    const [traceId = '', other = ''] = await add(projectId, {}, {})
    const row = (trace_id: string, created_at: number, value: number) => {
      const score_id = newId('scr_', created_at)
      return {
        project_id: projectId,
        trace_id,
        score_id,
        name: 'q',
        value,
        created_at,
        ...bare,
      }
    }
    const rows = [row(traceId, 1, 0), row(traceId, 3, 1), row(traceId, 2, 0.1)]
    for (const each of [...rows, row(other, 9, 0.9)]) await scores().insert(each)
    expect(await scores().listForTrace(projectId, traceId)).toEqual([rows[1], rows[2], rows[0]])
    expect(await scores().insert(row('trc_none', 1, 1))).toBe('no_trace')
  })

  it('lists scores of one millisecond in the order of their arrival', async () => {
    const projectId = await addProject(database.db)
    const [trace_id = ''] = await add(projectId, {})
    for (let value = 0; value < 20; value++) {
      const base = { project_id: projectId, trace_id, name: 'q', created_at: 5, ...bare }
      await scores().insert({ ...base, score_id: newId('scr_', 5), value: value / 20 })
    }
    const values = (await scores().listForTrace(projectId, trace_id)).map(({ value }) => value * 20)
    expect(values).toEqual(Array.from({ length: 20 }, (_, i) => 19 - i))
  })
})
