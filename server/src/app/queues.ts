import { CairnError } from '@cairn/contract'
import type { Config } from '../config.ts'
import type { Db } from '../db/index.ts'
import { localScorersWidth } from '../domains/scorers/index.ts'
import { checksWidth } from '../domains/testing/index.ts'
import { FairQueue } from '../lib/fair-queue.ts'

export type Queues = ReturnType<typeof createQueues>

/** More than the background work of a project can have waiting, which is not refused. */
const mostWaiting = 200

function refusal(what: string, more = 'send fewer at the same time'): () => CairnError {
  return () =>
    new CairnError('rate_limited', `too many ${what} of this project wait for their turn; ${more}`, {
      retryAfter: 5,
    })
}

/** Every queue in which tenants wait for something scarce, by the name that the server's page shows. */
export function createQueues(config: Config, db: Db) {
  const { judgeConcurrency, maxModelAnswers } = config
  return {
    writes: db.writers,
    ...readQueues(config),
    ...extractionQueues(config),
    /** Work on the event loop that a question makes: one piece at a time, and other requests between two. */
    searches: new FairQueue({ width: 1, maxWaiting: 256, refusal: refusal('questions') }),
    indexLoads: new FairQueue({
      width: 4,
      widthPerProject: 2,
      maxWaiting: 256,
      refusal: refusal('questions to chats that have to be loaded'),
    }),
    modelAnswers: new FairQueue({
      width: 4 * maxModelAnswers,
      widthPerProject: maxModelAnswers,
      widthPerUser: Math.ceil(0.75 * maxModelAnswers),
      maxWaiting: maxModelAnswers,
      refusal: refusal('answers', 'send fewer at the same time, or raise CAIRN_MAX_MODEL_ANSWERS'),
    }),
    localScorers: new FairQueue({
      width: localScorersWidth,
      widthPerProject: 1,
      maxWaiting: mostWaiting,
      refusal: refusal('judgements'),
    }),
    checks: new FairQueue({
      width: checksWidth,
      widthPerProject: 1,
      maxWaiting: mostWaiting,
      refusal: refusal('checks of regular expressions and JSON schemas'),
    }),
    // Half of the places stay free for other projects.
    modelScorers: new FairQueue({
      width: 2 * judgeConcurrency,
      widthPerProject: judgeConcurrency,
      maxWaiting: mostWaiting,
      refusal: refusal('judgements by models'),
    }),
  } satisfies Record<string, FairQueue>
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

/** Places for reads that look at many rows, and for exports. */
function readQueues(config: Config) {
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
  }
}
