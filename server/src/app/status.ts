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
  { queues, retrieval }: Pick<Services, 'queues' | 'retrieval'>,
  memory: MemoryBudget,
): () => ServerStatus {
  const startedAt = new Date(Date.now() - 1000 * process.uptime()).toISOString()
  const limits = limitsOf(config, memory)
  const named = Object.entries<HasStatus>(queues)
  return () => {
    const { residentBytes, budgetBytes, heavy, refused } = memory.status()
    return {
      version,
      started_at: startedAt,
      supervisor: supervisor?.restarts ?? null,
      memory: {
        resident_bytes: residentBytes,
        index_bytes: retrieval.bytes,
        budget_bytes: budgetBytes,
        heavy_requests: heavy,
        refused,
      },
      queues: named.map(([name, queue]) => ({ name, ...queue.status() })),
      limits,
    }
  }
}
