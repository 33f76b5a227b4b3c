import { sql } from 'kysely'
import type { Db } from '../../../db/index.ts'
import { type Deletion, type DeletionStep, deletionOf } from '../../../jobs/index.ts'

/** Maximum bytes of bodies, and maximum traces, that one transaction deletes in a few milliseconds. */
const [stepBytes, stepTraces] = [1024 * 1024, 100]

/** Deletes some traces of a project in deletion. Its rollups are not updated, because no request can read them any more. */
async function deleteSomeTraces(db: Db, projectId: string): Promise<DeletionStep> {
  const found = await db.read
    .selectFrom('trace_bodies')
    .select(['trace_id', sql<number>`length(body)`.as('size')])
    .where('project_id', '=', projectId)
    .limit(stepTraces)
    .execute()
  if (found.length === 0) return 'nothing'
  let bytes = 0
  const ids = found.flatMap(({ trace_id, size }, index) => {
    bytes += size
    return index === 0 || bytes <= stepBytes ? [trace_id] : []
  })
  await db.transaction((trx) =>
    trx.deleteFrom('traces').where('project_id', '=', projectId).where('trace_id', 'in', ids).execute(),
  )
  return 'more'
}

/** The steps of a project's deletion that delete its traces. Earlier steps delete their scores. */
export function traceDeletion(db: Db): Deletion['steps'] {
  const column = 'project_id'
  const labels = ['project_id', 'name', 'value', 'created_at', 'trace_id']
  return [
    deletionOf(db, { table: 'trace_labels', key: labels, column }),
    (projectId) => deleteSomeTraces(db, projectId),
    deletionOf(db, { table: 'idempotency_keys', key: ['project_id', 'key_hash'], column }),
  ]
}
