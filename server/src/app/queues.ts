import type { Config } from '../config.ts'
import type { Db } from '../db/index.ts'
import type { FairQueue } from '../lib/fair-queue.ts'

export type Queues = ReturnType<typeof createQueues>

/** Every queue in which tenants wait for something scarce, by the name that the server's page shows. */
export function createQueues(_config: Config, db: Db) {
  return { writes: db.writers } satisfies Record<string, FairQueue>
}
