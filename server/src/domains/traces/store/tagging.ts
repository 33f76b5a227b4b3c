import { limits } from '@cairn/contract'
import { type Db, insertRows } from '../../../db/index.ts'
import { encodeJson } from '../../../lib/json/encode.ts'
import { Increments, removeEmptyRollups, rollupUpsert } from '../../rollups/index.ts'
import { factsOf } from '../facts.ts'
import { labelsOf } from '../labels.ts'
import type { TraceRecord } from '../record.ts'
import { changedTags, mergeEdits, type TagChange } from '../tags.ts'
import { deleteLabels, lock, type ReadTrace, readRecords, storedCost, withUnchanged } from './changes.ts'
import { labelInsert } from './rows.ts'

/**
 * Changes the tags of traces with their labels and rollups, in short transactions. Returns the number of changed traces.
 * Stops at a trace that would have too many tags.
 */
export async function tagTraces(
  db: Db,
  projectId: string,
  ids: readonly string[],
  change: TagChange,
): Promise<number | 'too_many'> {
  let changed = 0
  for await (const traces of readRecords(db, projectId, ids)) {
    const step = await withUnchanged(db, projectId, traces, (unchanged) =>
      tagStep(db, projectId, unchanged, change),
    )
    if (step === 'too_many') return step
    changed += step
  }
  return changed
}

/** A trace with its changed tags, and its stored form. */
interface Tagged {
  after: TraceRecord
  body: Buffer
}

async function tagStep(
  db: Db,
  projectId: string,
  read: readonly ReadTrace[],
  change: TagChange,
): Promise<number | 'too_many'> {
  const tagged = new Map<string, Tagged>()
  for (const { traceId, record } of read) {
    const tags = changedTags(record.tags, change)
    if (tags && tags.length > limits.tagsPerTrace) return 'too_many'
    const after = tags && { ...record, tags }
    // Before the transaction, because a trace may have many megabytes.
    if (after) tagged.set(traceId, { after, body: await encodeJson(after) })
  }
  if (tagged.size === 0) return 0
  return db.transaction(async (trx) => {
    const wanted = read.filter(({ traceId }) => tagged.has(traceId))
    const traces = await lock(trx, db.dialect, projectId, wanted)
    const increments = new Increments()
    const labels = []
    await deleteLabels(trx, projectId, traces)
    for (const { row, record, traceId, tagEdits } of traces) {
      const { after, body } = tagged.get(traceId) as Tagged
      const cost = storedCost(row)
      const facts = factsOf(projectId, after, cost)
      increments.addTrace(factsOf(projectId, record, cost), -1)
      increments.addTrace(facts)
      labels.push({ traceId, facts, labels: labelsOf(after, facts.tags) })
      const edits = mergeEdits(tagEdits, record.tags, after.tags)
      await trx
        .updateTable('traces')
        .set((eb) => ({ revision: eb('revision', '+', 1), tag_edits: JSON.stringify(edits) }))
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .execute()
      await trx
        .updateTable('trace_bodies')
        .set({ body })
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .execute()
    }
    await insertRows(trx, labelInsert(labels))
    const upsert = rollupUpsert(db.dialect, increments)
    await insertRows(trx, upsert)
    await removeEmptyRollups(trx, upsert)
    return traces.length
  })
}
