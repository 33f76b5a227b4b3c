import { CairnError } from '@cairn/contract'
import type { Config } from '../config.ts'
import { FairQueue } from '../lib/fair-queue.ts'

export type Queues = ReturnType<typeof createQueues>

/** Every queue in which tenants wait for something scarce, by the name that the server's page shows. */
export function createQueues(config: Config) {
  return {
    scans: new FairQueue({
      width: config.maxScans,
      // A place stays free for others.
      widthPerProject: Math.max(1, config.maxScans - 1),
      maxWaiting: config.maxWaitingScans,
      refusal: () =>
        new CairnError(
          'rate_limited',
          'too many requests of this project wait to read much, for filters without an index or for graphs (CAIRN_MAX_WAITING_SCANS); try again when some are answered',
          { retryAfter: 2 },
        ),
    }),
    exports: new FairQueue({
      width: config.maxStreams,
      widthPerProject: Math.ceil(config.maxStreams / 2),
      maxWaiting: 0,
      refusal: () =>
        new CairnError(
          'overloaded',
          'too many exports are running, of all projects (CAIRN_MAX_EXPORTS) or of this one (half of them); try again later',
          { retryAfter: 5 },
        ),
    }),
  } satisfies Record<string, FairQueue>
}
