import { runFor } from '../../lib/current-work.ts'
import { dayMs } from '../rollups/index.ts'

interface Sweepable {
  listProjects(): Promise<{ project_id: string; retention_days: number }[]>
}

/** Data of projects with a retention period. */
interface Expiring {
  /** Deletes data from before a time (epoch ms); returns the number of deleted items. */
  deleteOlder(projectId: string, beforeMs: number): Promise<number>
}

interface Sweeping {
  projects: Sweepable
  traces: Expiring & { deleteExpiredKeys(projectId: string): Promise<void> }
  /** Data with the same retention period as traces. */
  others: readonly Expiring[]
}

/**
 * Deletes traces after the retention period of their project, and expired idempotency keys. Several processes may sweep at
 * once: only one of them deletes a trace and subtracts it from the rollups. Returns the number of deleted traces.
 */
export async function sweep({ projects, traces, others }: Sweeping, now = Date.now()): Promise<number> {
  let deleted = 0
  for (const { project_id, retention_days } of await projects.listProjects()) {
    deleted += await runFor([project_id], async () => {
      await traces.deleteExpiredKeys(project_id)
      if (retention_days <= 0) return 0
      const before = now - retention_days * dayMs
      const count = await traces.deleteOlder(project_id, before)
      for (const other of others) await other.deleteOlder(project_id, before)
      return count
    })
  }
  return deleted
}
