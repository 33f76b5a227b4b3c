import { CairnError } from '@cairn/contract'
import type { Config } from '../config.ts'
import { FairQueue } from '../lib/fair-queue.ts'

export type Queues = ReturnType<typeof createQueues>

/** Every queue in which tenants wait for something scarce, by the name that the server's page shows. */
export function createQueues(config: Config) {
  return { ...extractionQueues(config) } satisfies Record<string, FairQueue>
}

/** Places for reading files: each file begins in one of the first kind, and moves on when it takes long. */
function extractionQueues({ extractions, maxWaitingFiles }: Config) {
  const longWidth = Math.max(1, Math.floor(extractions / 3))
  const refusal = () =>
    new CairnError(
      'rate_limited',
      'too many files wait to be read; send fewer at a time (CAIRN_MAX_WAITING_FILES)',
      { retryAfter: 5 },
    )
  const common = { maxWaiting: maxWaitingFiles, refusal }
  return {
    extraction: new FairQueue({ ...common, width: extractions - longWidth }),
    longExtraction: new FairQueue({
      ...common,
      width: longWidth,
      widthPerProject: Math.max(1, longWidth - 1),
      widthPerUser: 1,
    }),
  }
}
