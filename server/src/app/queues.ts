import { CairnError } from '@cairn/contract'
import type { Config } from '../config.ts'
import type { Db } from '../db/index.ts'
import { localScorersWidth } from '../domains/scorers/index.ts'
import { checksWidth } from '../domains/testing/index.ts'
import { FairQueue } from '../lib/fair-queue.ts'

export type Queues = ReturnType<typeof createQueues>

/**
 * Limit of waiting scorer and check tasks. With the default settings, the background work of one project stays below it, so
 * none of it is rejected.
 */
const maxWaitingTasks = 200

function refusal(what: string, advice = 'send fewer at the same time'): () => CairnError {
  return () =>
    new CairnError('rate_limited', `too many ${what} of this project or user are waiting; ${advice}`, {
      retryAfter: 5,
    })
}

/**
 * Queues that share limited resources fairly among projects and end users, each with a number of places (`width`). The
 * status page lists them under these names.
 */
export function createQueues(config: Config, db: Db) {
  const { judgeConcurrency, maxModelAnswers } = config
  return {
    writes: db.writers,
    ...readQueues(config),
    ...extractionQueues(config),
    // Searches block the event loop, so one runs at a time. Other requests run between two searches.
    searches: new FairQueue({ width: 1, maxWaiting: 256, refusal: refusal('questions') }),
    indexLoads: new FairQueue({
      width: 4,
      widthPerProject: 2,
      maxWaiting: 256,
      refusal: refusal('questions about chats whose search index must be loaded'),
    }),
    modelAnswers: new FairQueue({
      width: 4 * maxModelAnswers,
      widthPerProject: maxModelAnswers,
      widthPerUser: Math.ceil(0.75 * maxModelAnswers),
      maxWaiting: maxModelAnswers,
      refusal: refusal('answers by models', 'send fewer at the same time, or raise CAIRN_MAX_MODEL_ANSWERS'),
    }),
    // Ranking is optional: a question that would wait too long keeps the order of its search.
    rankings: new FairQueue({
      width: 64,
      widthPerProject: 16,
      widthPerUser: 8,
      maxWaiting: 32,
      refusal: refusal('questions whose passages a model ranks'),
    }),
    localScorers: new FairQueue({
      width: localScorersWidth,
      widthPerProject: 1,
      maxWaiting: maxWaitingTasks,
      refusal: refusal('texts for scorers'),
    }),
    checks: new FairQueue({
      width: checksWidth,
      widthPerProject: 1,
      maxWaiting: maxWaitingTasks,
      refusal: refusal('checks of regular expressions and JSON schemas'),
    }),
    // One project may use half of the places.
    modelScorers: new FairQueue({
      width: 2 * judgeConcurrency,
      widthPerProject: judgeConcurrency,
      maxWaiting: maxWaitingTasks,
      refusal: refusal('texts for scorers that call models'),
    }),
  } satisfies Record<string, FairQueue>
}

/**
 * Places for file extraction. Every file starts in `extraction`. A slow file moves to `longExtraction`, or is aborted and
 * restarted later; see `ExtractionTurns`.
 */
function extractionQueues({ extractions, maxWaitingFiles }: Config) {
  const longWidth = Math.max(1, Math.floor(extractions / 3))
  const common = {
    maxWaiting: maxWaitingFiles,
    refusal: refusal('files', 'send fewer at the same time, or raise CAIRN_MAX_WAITING_FILES'),
  }
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

/** Queues for scans, for reads of the whole knowledge graph of a chat, and for exports. */
function readQueues(config: Config) {
  return {
    scans: new FairQueue({
      width: config.maxScans,
      // One project may use all but one place, and at least one.
      widthPerProject: Math.max(1, config.maxScans - 1),
      maxWaiting: config.maxWaitingScans,
      refusal: () =>
        new CairnError(
          'rate_limited',
          'too many large reads (filters without an index, graphs of chats) of this project or user are waiting; send fewer at the same time, or raise CAIRN_MAX_WAITING_SCANS',
          { retryAfter: 2 },
        ),
    }),
    // An export never waits: without a free place it is rejected.
    exports: new FairQueue({
      width: config.maxExports,
      widthPerProject: Math.ceil(config.maxExports / 2),
      maxWaiting: 0,
      refusal: () =>
        new CairnError(
          'overloaded',
          'too many exports are running: the server allows CAIRN_MAX_EXPORTS, and one project half of them; try again later',
          { retryAfter: 5 },
        ),
    }),
  }
}
