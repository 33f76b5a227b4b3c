import { type Db, migrate } from '../db/index.ts'
import { createAccessStore } from '../domains/access/index.ts'
import { rebuildProject } from '../domains/traces/index.ts'

/**
 * Migrates schema and stored data to the current version. Returns the number of migrations that were applied; 0 if the
 * database was current.
 */
export async function upgrade(db: Db): Promise<number> {
  const applied = await migrate(db)
  if (applied === 0) return 0
  // Traces of old versions have no rollups.
  for (const { project_id } of await createAccessStore(db).listProjects())
    await rebuildProject(db, project_id)
  return applied
}
