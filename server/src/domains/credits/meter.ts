import { CairnError, type UsagePurpose } from '@cairn/contract'
import { newId } from '../../lib/ids.ts'
import { creditsOf } from '../../models/credits.ts'
import type { Pricing } from '../prices/index.ts'
import type { BudgetReservation, Charge, Payer } from '../usage/index.ts'
import type { BudgetService } from './budgets.ts'
import type { MultiplierService } from './multipliers.ts'
import { periodAt } from './periods.ts'
import type { BudgetRow } from './store-budgets.ts'
import type { BudgetRefusal, ReservationStore } from './store-reservations.ts'

interface MeterOptions {
  multipliers: MultiplierService
  budgets: BudgetService
  reservations: ReservationStore
  pricing: (projectId: string) => Promise<Pricing>
  /** Called after an event was written, so that its deliveries start at once. */
  wake: () => void
  onFailure: (error: unknown) => void
}

/** Models that may be called, and the expected maximum of tokens of one call. */
export interface Plan {
  models: readonly string[]
  promptTokens: number
  completionTokens: number
}

/** The tokens that a call has used. */
interface TokensUsed {
  model: string
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
}

interface Call {
  payer: Payer
  plan: Plan
  now: number
  creditsOf: (model: string, tokens: number) => number
}

/** Lease of a reservation. The process renews it during the call. */
const leaseMs = 60_000
/** Maximum attempts to reserve while budgets are deleted concurrently. */
const maxAttempts = 5
/** Maximum completion tokens to reserve, for requests with a very high limit. */
const maxCompletionTokens = 32_768

const periodNames = { day: "today's", month: "this month's", total: 'the' } as const

function refusalError({ budget, isSpent }: BudgetRefusal): CairnError {
  const { period, unit, scope } = budget
  const name = `${periodNames[period]} budget of ${unit === 'usd' ? 'costs' : 'credits'} of this ${scope}`
  return isSpent
    ? new CairnError('budget_exceeded', `${name} is used up`)
    : new CairnError(
        'budget_exceeded',
        `the rest of ${name} is reserved for answers in progress; try again`,
        {
          retryAfter: 1,
        },
      )
}

/** Reserves a part of the budgets for one call. The caller closes it after the charge was written or the call failed. */
export interface Reservation {
  creditsOf(model: string, totalTokens: number): number
  /**
   * Returns the charge for the transaction that writes the result of the call. Without `used`, the charge only deletes the
   * reservation.
   */
  charge(used?: TokensUsed): Omit<Charge, 'cost'>
  /** Stops the renewal of the lease. */
  close(): void
}

/** Computes credits, and reserves a part of the budgets during a call, so that concurrent calls cannot exceed a budget. */
export class Meter {
  readonly #options: MeterOptions
  /** Ids of open reservations, whose leases are renewed. */
  readonly #open = new Set<string>()
  #renewal: NodeJS.Timeout | undefined

  constructor(options: MeterOptions) {
    this.#options = options
  }

  /**
   * Reserves a part of each budget that applies to the call. Without models in the plan, nothing is reserved.
   * @throws `budget_exceeded` if a budget is used up or reserved completely
   */
  async open(payer: Payer, purpose: UsagePurpose, plan: Plan): Promise<Reservation> {
    const requestedMs = Date.now()
    const multiplierOf = await this.#options.multipliers.current()
    const tokensOf = (model: string, tokens: number) => creditsOf(tokens, multiplierOf(model))
    const call = { payer, plan, now: requestedMs, creditsOf: tokensOf }
    const reservation = plan.models.length > 0 ? await this.#reserve(call) : undefined
    return {
      creditsOf: tokensOf,
      charge: (used) => ({
        payer,
        purpose,
        model: used?.model ?? '',
        requestedMs,
        answers: used ? 1 : 0,
        promptTokens: used?.prompt_tokens ?? 0,
        completionTokens: used?.completion_tokens ?? 0,
        credits: used ? tokensOf(used.model, used.total_tokens) : 0,
        reservation,
      }),
      close: () => this.#release(reservation),
    }
  }

  /** Writes the charge of a call whose result is not stored. Durable when it resolves. */
  charge(charge: Charge): Promise<void> {
    return this.#options.reservations.charge([charge])
  }

  /** Returns undefined if no budget applies to the call. */
  async #reserve(call: Call): Promise<BudgetReservation | undefined> {
    const { budgets } = this.#options
    for (let attempt = 1; ; attempt++) {
      const reserved = await this.#reserveIn(await budgets.budgetsOf(call.payer), call)
      if (reserved !== 'no_budget') return reserved
      // Another process has deleted one of the cached budgets.
      budgets.clearCache()
      if (attempt === maxAttempts)
        throw new CairnError('overloaded', 'budgets of this call keep changing; try again', { retryAfter: 1 })
    }
  }

  async #reserveIn(
    budgets: readonly BudgetRow[],
    call: Call,
  ): Promise<BudgetReservation | undefined | 'no_budget'> {
    if (budgets.length === 0) return undefined
    const { payer, plan, now } = call
    const pricing = await this.#options.pricing(payer.projectId)
    const prompt_tokens = plan.promptTokens
    const completion_tokens = Math.min(plan.completionTokens, maxCompletionTokens)
    const maxOf = (amountOf: (model: string) => number) => Math.max(0, ...plan.models.map(amountOf))
    const amounts = {
      credits: maxOf((model) => call.creditsOf(model, prompt_tokens + completion_tokens)),
      usd: maxOf((model) => pricing(model, { prompt_tokens, completion_tokens }, now) ?? 0),
    }
    const reservationId = newId('rsv_', now)
    const outcome = await this.#options.reservations.reserve({
      reservationId,
      budgets: budgets.map((budget) => ({ budget, amount: amounts[budget.unit] })),
      now,
      expiresAt: now + leaseMs,
    })
    if (outcome === 'no_budget') return outcome
    if (outcome !== 'reserved') {
      if (outcome.isFirst) this.#options.wake()
      throw refusalError(outcome)
    }
    this.#renewRegularly(reservationId)
    return {
      reservationId,
      budgets: budgets.map(({ budget_id, period, unit }) => ({
        budgetId: budget_id,
        periodStart: periodAt(period, now).start,
        unit,
      })),
    }
  }

  #renewRegularly(reservationId: string): void {
    this.#open.add(reservationId)
    this.#renewal ??= setInterval(() => void this.#renew(), leaseMs / 3).unref()
  }

  #release(reservation: BudgetReservation | undefined): void {
    if (reservation) this.#open.delete(reservation.reservationId)
    if (this.#open.size > 0) return
    clearInterval(this.#renewal)
    this.#renewal = undefined
  }

  async #renew(): Promise<void> {
    try {
      await this.#options.reservations.extend([...this.#open], Date.now() + leaseMs)
    } catch (error) {
      this.#options.onFailure(error)
    }
  }
}
