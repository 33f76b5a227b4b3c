import type { Db } from '../../../db/index.ts'

/** The given ids whose traces exist in the project. */
export async function existingTraces(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.read
    .selectFrom('traces')
    .select('trace_id')
    .where('project_id', '=', projectId)
    .where('trace_id', 'in', ids)
    .execute()
  return new Set(rows.map(({ trace_id }) => trace_id))
}
