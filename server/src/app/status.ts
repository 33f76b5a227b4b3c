import type { ServerLimit, ServerStatus } from '@cairn/contract'
import { type Config, type Limit, limitSettings } from '../config.ts'
import type { FairQueueStatus } from '../lib/fair-queue.ts'
import type { MemoryBudget } from '../lib/memory-budget.ts'
import type { AppDependencies } from './dependencies.ts'
import type { Services } from './services.ts'

interface HasStatus {
  status(): FairQueueStatus
}

function limitsOf(config: Config, memory: MemoryBudget): ServerLimit[] {
  const effective = { ...config, memoryBytes: memory.status().budgetBytes }
  return limitSettings.map(({ key, name, doc }: Limit) => ({
    setting: name,
    value: effective[key],
    meaning: doc,
  }))
}

/** The state of this process, asked for anew each time. */
export function createStatus(
  { config, version, supervisor }: AppDependencies,
  services: Pick<Services, 'queues'>,
  memory: MemoryBudget,
): () => ServerStatus {
  const startedAt = new Date(Date.now() - 1000 * process.uptime()).toISOString()
  const limits = limitsOf(config, memory)
  const queues = Object.entries<HasStatus>(services.queues)
  return () => {
    const { residentBytes, budgetBytes, heavy, refused } = memory.status()
    return {
      version,
      started_at: startedAt,
      supervisor: supervisor?.restarts ?? null,
      memory: {
        resident_bytes: residentBytes,
        budget_bytes: budgetBytes,
        heavy_requests: heavy,
        refused,
      },
      queues: queues.map(([name, queue]) => ({ name, ...queue.status() })),
      limits,
    }
  }
}
