import { runFor } from '../../lib/current-tenant.ts'

const dayMs = 24 * 60 * 60 * 1000

interface Sweepable {
  listProjects(): Promise<{ project_id: string; retention_days: number }[]>
}

/** What holds things of projects that grow old. */
interface Ageing {
  /** Deletes what is from before that time (epoch ms); answers how much. */
  deleteOlder(projectId: string, beforeMs: number): Promise<number>
}

interface Sweeping {
  projects: Sweepable
  traces: Ageing & { forgetKeys(projectId: string): Promise<void> }
  /** Kept for as long as traces are. */
  others: readonly Ageing[]
}

/**
 * Deletes what is older than its project wants, and idempotency keys whose time is over. Several processes may do
 * so at once: each trace is deleted, and taken out of the sums, by one of them. Answers how many traces went.
 */
export async function sweep({ projects, traces, others }: Sweeping, now = Date.now()): Promise<number> {
  let deleted = 0
  for (const { project_id, retention_days } of await projects.listProjects()) {
    deleted += await runFor([project_id], async () => {
      await traces.forgetKeys(project_id)
      if (retention_days <= 0) return 0
      const before = now - retention_days * dayMs
      const count = await traces.deleteOlder(project_id, before)
      for (const other of others) await other.deleteOlder(project_id, before)
      return count
    })
  }
  return deleted
}
