import { CairnError } from '@cairn/contract'
import type { Config } from '../config.ts'
import { localJudgesWidth } from '../domains/scorers/index.ts'
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
export function createQueues(config: Config) {
  const { judgeConcurrency, maxModelAnswers } = config
  return {
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
    localJudges: new FairQueue({
      width: localJudgesWidth,
      widthPerProject: 1,
      maxWaiting: mostWaiting,
      refusal: refusal('judgements'),
    }),
    // Half of the places stay free for other projects.
    judgesByModel: new FairQueue({
      width: 2 * judgeConcurrency,
      widthPerProject: judgeConcurrency,
      maxWaiting: mostWaiting,
      refusal: refusal('judgements by models'),
    }),
  } satisfies Record<string, FairQueue>
}
