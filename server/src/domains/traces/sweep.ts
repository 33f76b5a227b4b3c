import type { TraceService } from './service.ts'

const dayMs = 24 * 60 * 60 * 1000

export interface Sweepable {
  listProjects(): Promise<{ project_id: string; retention_days: number }[]>
}

/**
 * Deletes what is older than its project wants, and idempotency keys whose time is over. Several processes may do
 * so at once: each trace is deleted, and taken out of the sums, by one of them. Answers how many traces went.
 */
export async function sweep(projects: Sweepable, traces: TraceService, now = Date.now()): Promise<number> {
  let deleted = 0
  for (const { project_id, retention_days } of await projects.listProjects()) {
    await traces.forgetKeys(project_id)
    if (retention_days > 0) deleted += await traces.deleteOlder(project_id, now - retention_days * dayMs)
  }
  return deleted
}
