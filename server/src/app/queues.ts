import { CairnError } from '@cairn/contract'
import type { Config } from '../config.ts'
import { FairQueue } from '../lib/fair-queue.ts'

export type Queues = ReturnType<typeof createQueues>

/** More than the jobs of a project that run at a time can have waiting: background work is not refused. */
const mostWaiting = 200

/** Every queue in which tenants wait for something scarce, by the name that the server's page shows. */
export function createQueues(config: Config) {
  return {
    localJudges: new FairQueue({
      width: 1,
      maxWaiting: mostWaiting,
      refusal: () =>
        new CairnError('rate_limited', 'too many judgements of this project wait for their turn', {
          retryAfter: 5,
        }),
    }),
    // Half of the places stay free for other projects.
    judgesByModel: new FairQueue({
      width: 2 * config.judgeConcurrency,
      widthPerProject: config.judgeConcurrency,
      maxWaiting: mostWaiting,
      refusal: () =>
        new CairnError('rate_limited', 'too many judgements of this project wait for a model', {
          retryAfter: 5,
        }),
    }),
  } satisfies Record<string, FairQueue>
}
