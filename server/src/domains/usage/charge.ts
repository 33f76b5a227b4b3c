import type { BudgetUnit, UsagePurpose } from '@cairn/contract'

/** The owners of a call: its usage counts for each of them. */
export interface Payer {
  projectId: string
  chatId: string | null
  appId: string | null
  userId: string | null
}

/** The budgets with a reservation for a call. `periodStart` is epoch milliseconds. */
export interface BudgetReservation {
  reservationId: string
  budgets: readonly { budgetId: string; periodStart: number; unit: BudgetUnit }[]
}

/** The usage of a call to a model. The transaction that stores the result of the call also writes it. */
export interface Charge {
  payer: Payer
  purpose: UsagePurpose
  model: string
  /** Time of the request (epoch ms). The usage counts on its day. */
  requestedMs: number
  /** Number of calls. If 0, nothing was used, and only the reservation is deleted. */
  answers: number
  promptTokens: number
  completionTokens: number
  credits: number
  /** USD; null for a model without a price. */
  cost: number | null
  reservation: BudgetReservation | undefined
}
