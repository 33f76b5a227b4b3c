import type { CreateTrace, Usage } from '@cairn/contract'
import type { Reservation } from '../credits/index.ts'
import type { NewCharge } from '../traces/index.ts'
import { type AnswerInProgress, tokensOf } from './generation/index.ts'
import type { PreparedAnswer } from './prepared-answer.ts'
import { toPrivateTrace, toTrace, wasUsed } from './trace.ts'

/** A running answer with its reservation of budgets. */
export interface RunningAnswer {
  prepared: PreparedAnswer
  inProgress: AnswerInProgress
  reservation: Reservation
  /** The id of its trace, when it is recorded. */
  answerId?: string
  /** Frees its place in the queue of answers by models. */
  leave(): void
}

export function answerIdOf({ answerId }: RunningAnswer): string {
  if (answerId === undefined) throw new Error('the answer is not recorded')
  return answerId
}

/** The tokens and credits of the answer, with those of rewriting its question. */
export function usageOf({ inProgress, reservation, prepared: { rewrite } }: RunningAnswer): Usage {
  const tokens = tokensOf(inProgress)
  const { prompt_tokens = 0, completion_tokens = 0, total_tokens = 0 } = rewrite?.usage ?? {}
  return {
    prompt_tokens: tokens.prompt_tokens + prompt_tokens,
    completion_tokens: tokens.completion_tokens + completion_tokens,
    total_tokens: tokens.total_tokens + total_tokens,
    credits: reservation.creditsOf(inProgress.model, tokens.total_tokens) + (rewrite?.credits ?? 0),
  }
}

export function traceOf(answering: RunningAnswer, error: unknown): CreateTrace {
  const { prepared, inProgress } = answering
  const { payer, privateAnswer } = prepared
  const answered = { ...prepared, inProgress, credits: usageOf(answering).credits, error }
  return privateAnswer ? toPrivateTrace(answered, payer.appId) : toTrace(answered)
}

/**
 * The charge of the answer. The rewriting of its question and the ranking of its passages are charged already, but their
 * costs are in the trace.
 */
export function chargeOf({ prepared, inProgress, reservation }: RunningAnswer, error: unknown): NewCharge {
  const { rewrite, ranking } = prepared
  const used = wasUsed(inProgress, error) ? { model: inProgress.model, ...tokensOf(inProgress) } : undefined
  return { ...reservation.charge(used), chargedCost: (rewrite?.cost ?? 0) + (ranking?.cost ?? 0) }
}
