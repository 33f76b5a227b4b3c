import {
  CairnError,
  feedbackScore,
  type RateAnswer,
  type RatedAnswer,
  type UserRatingForm,
} from '@cairn/contract'
import type { ChatService } from '../chats/index.ts'
import { toScoreRow } from '../scores/index.ts'
import type { FeedbackStore } from './store.ts'

/** Who asked for an answer: the keys of a chat, or an end user, whose chat is private. */
interface Asker {
  projectId: string
  chatId: string
}

export class FeedbackService {
  readonly #store: FeedbackStore
  readonly #chats: Pick<ChatService, 'find'>

  constructor(store: FeedbackStore, chats: Pick<ChatService, 'find'>) {
    this.#store = store
    this.#chats = chats
  }

  /** A rating by a key of the chat; see `#rate`. */
  async rate(chatId: string, rating: RateAnswer): Promise<RatedAnswer> {
    const { project_id: projectId } = await this.#chats.find(chatId)
    return this.#rate({ projectId, chatId }, rating)
  }

  /** A rating by an end user. A comment that the user does not share is rejected, because only the developer could read it. */
  async rateForUser(user: Asker, { share_comment, ...rating }: UserRatingForm): Promise<RatedAnswer> {
    if (rating.comment?.trim() && share_comment !== 'true') {
      throw new CairnError(
        'invalid_request',
        'comment would be read by the developer of the application; send share_comment=true if you want this',
      )
    }
    return this.#rate(user, rating)
  }

  /**
   * Stores the rating of an answer in place of an earlier one; `none` deletes it.
   *
   * @throws CairnError `not_found` for an answer that was asked for in another chat, or is deleted
   */
  async #rate(
    { projectId, chatId }: Asker,
    { answer_id, rating, comment }: RateAnswer,
  ): Promise<RatedAnswer> {
    const text = comment?.trim() || null
    if (rating === 'none' && text !== null) {
      throw new CairnError('invalid_request', 'comment needs the rating up or down')
    }
    const answer = { projectId, traceId: answer_id, chatId }
    const score = { name: feedbackScore, value: rating === 'up' ? 1 : 0, comment: text }
    const row = rating === 'none' ? undefined : toScoreRow(answer, score, Date.now(), { source: 'feedback' })
    if (!(await this.#store.rate(answer, row))) throw new CairnError('not_found', 'answer not found')
    return { success: true }
  }
}
