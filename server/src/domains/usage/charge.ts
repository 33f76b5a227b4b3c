import type { BudgetUnit, UsagePurpose } from '@cairn/contract'

/** Who a call is made for. */
export interface Payer {
  projectId: string
  chatId: string | null
  appId: string | null
  userId: string | null
}

/** A part of one or more budgets that is held for a call. */
export interface BudgetHold {
  reservationId: string
  budgets: readonly { budgetId: string; periodStart: number; unit: BudgetUnit }[]
}

/** What a call to a model came to; written with what the call was for, and the reservation is given back with it. */
export interface Charge {
  payer: Payer
  purpose: UsagePurpose
  model: string
  /** When it was asked for (epoch ms): the day in which it counts. */
  askedMs: number
  /** 0 when nothing was used: then the reservation is given back, and that is all. */
  answers: number
  promptTokens: number
  completionTokens: number
  credits: number
  /** USD; null for a model without a price. */
  cost: number | null
  reservation: BudgetHold | undefined
}
