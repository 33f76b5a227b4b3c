import type { ContextEntry, OwnAnswer, OwnAnswerEvent, OwnCitation } from '@cairn/contract'
import { toCitations } from './citations/index.ts'
import { type Asker, type PreparationService, sharedDocument } from './prepare.ts'
import type { PreparedAnswer } from './prepared-answer.ts'
import type { AnsweringService } from './service.ts'
import type { UserQuestion } from './user-question.ts'

/** The end user who asks, from their ID token. */
interface UserAsker extends Asker {
  /** The subject of the token. */
  externalUserId: string
  issuer: string
}

const guarantee = {
  user_controlled: true,
  permanent_subchat: true,
  developer_cannot_see_raw_files: true,
  oauth_validated: true,
} as const

/** Answers questions of end users. The responses have citations instead of the context. */
export class UserAnswers {
  readonly #questions: PreparationService
  readonly #answering: AnsweringService

  constructor(questions: PreparationService, answering: AnsweringService) {
    this.#questions = questions
    this.#answering = answering
  }

  /** Validates the question and finds its context. */
  prepare(asker: UserAsker, question: UserQuestion, signal: AbortSignal): Promise<PreparedAnswer> {
    return this.#questions.prepareForUser(asker, question, signal)
  }

  async answer(asker: UserAsker, prepared: PreparedAnswer, signal: AbortSignal): Promise<OwnAnswer> {
    const { answer, context, answer_id } = await this.#answering.answer(prepared, signal)
    return {
      success: true,
      answer,
      chat_id: asker.chatId,
      user_id: asker.userId,
      citations: await citationsOf(prepared, context),
      privacy_guarantee: guarantee,
      v1_auth: { app_id: asker.appId, external_user_id: asker.externalUserId, issuer: asker.issuer },
      answer_id,
    }
  }

  async *stream(prepared: PreparedAnswer, signal: AbortSignal): AsyncGenerator<OwnAnswerEvent> {
    for await (const event of this.#answering.stream(prepared, signal)) {
      if (event.type === 'context') yield { type: 'context', data: await citationsOf(prepared, event.data) }
      else yield event
    }
  }
}

/** One citation per context entry, in the same order, so that the markers of the answer point to them. */
async function citationsOf(
  { privateAnswer, generation: { inTurn, passages } }: PreparedAnswer,
  context: readonly ContextEntry[],
): Promise<OwnCitation[]> {
  const all = context.map((_, index) => index)
  const citations = await inTurn(() => toCitations(all, passages(), context))
  return citations.map(({ snippet, score, source, chunk_id }) =>
    privateAnswer?.sharedChunks.has(chunk_id)
      ? { snippet: '', score, source: sharedDocument }
      : { snippet, score, source },
  )
}
