import { CairnError, type UsagePurpose } from '@cairn/contract'
import { newId } from '../../lib/ids.ts'
import { creditsOf } from '../../models/credits.ts'
import type { Pricing } from '../prices/index.ts'
import type { BudgetHold, Charge, Payer } from '../usage/index.ts'
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
  /** Called when an event was written. */
  wake: () => void
  onFailure: (error: unknown) => void
}

/** Models that may be called, and the most that a call of one is expected to use. */
export interface Plan {
  models: readonly string[]
  promptTokens: number
  completionTokens: number
}

/** What a model has used. */
interface Used {
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

/** A part of a budget is held for so long; the process renews it while the call goes on. */
const leaseMs = 60_000
/** Tries to reserve beside others who delete budgets. */
const maxTries = 5
/** No model writes more in one answer, whatever is asked for. */
const longestAnswer = 32_768

const periodNames = { day: "today's", month: "this month's", total: 'the' } as const

function refusalError({ budget, isSpent }: BudgetRefusal): CairnError {
  const { period, unit, scope } = budget
  const name = `${periodNames[period]} budget of ${unit === 'usd' ? 'costs' : 'credits'} of this ${scope}`
  return isSpent
    ? new CairnError('budget_exceeded', `${name} is used up`)
    : new CairnError('budget_exceeded', `what is left of ${name} is held for answers under way`, {
        retryAfter: 1,
      })
}

/** Covers one call until its charge is written, or will never be; then it is closed. */
export interface Reservation {
  creditsOf(model: string, totalTokens: number): number
  /** For the transaction of what the call was for; with nothing used, it gives the reservation back. */
  charge(used?: Used): Omit<Charge, 'cost'>
  close(): void
}

/** Counts credits, and holds a part of the budgets while a model is at work, so that calls at once cannot overrun. */
export class Meter {
  readonly #options: MeterOptions
  readonly #held = new Set<string>()
  #renewal: NodeJS.Timeout | undefined

  constructor(options: MeterOptions) {
    this.#options = options
  }

  /** `budget_exceeded` when nothing is left of a budget. Without a model to call, nothing is checked. */
  async open(payer: Payer, purpose: UsagePurpose, plan: Plan): Promise<Reservation> {
    const askedMs = Date.now()
    const multiplierOf = await this.#options.multipliers.current()
    const tokensOf = (model: string, tokens: number) => creditsOf(tokens, multiplierOf(model))
    const call = { payer, plan, now: askedMs, creditsOf: tokensOf }
    const reservation = plan.models.length > 0 ? await this.#hold(call) : undefined
    return {
      creditsOf: tokensOf,
      charge: (used) => ({
        payer,
        purpose,
        model: used?.model ?? '',
        askedMs,
        answers: used ? 1 : 0,
        promptTokens: used?.prompt_tokens ?? 0,
        completionTokens: used?.completion_tokens ?? 0,
        credits: used ? tokensOf(used.model, used.total_tokens) : 0,
        reservation,
      }),
      close: () => this.#letGo(reservation),
    }
  }

  /** Writes the charge of a call that is written down nowhere else; durable when it resolves. */
  charge(charge: Charge): Promise<void> {
    return this.#options.reservations.charge([charge])
  }

  /** Undefined when no budget counts for the call. */
  async #hold(call: Call): Promise<BudgetHold | undefined> {
    const { budgets } = this.#options
    for (let tried = 1; ; tried++) {
      const held = await this.#reserve(call, await budgets.budgetsOf(call.payer))
      if (held !== 'no_budget') return held
      // Another process has deleted one of them since they were read.
      budgets.forget()
      if (tried === maxTries)
        throw new CairnError('overloaded', 'budgets of this call keep changing; try again', { retryAfter: 1 })
    }
  }

  async #reserve(call: Call, budgets: readonly BudgetRow[]): Promise<BudgetHold | undefined | 'no_budget'> {
    if (budgets.length === 0) return undefined
    const { payer, plan, now } = call
    const pricing = await this.#options.pricing(payer.projectId)
    const prompt_tokens = plan.promptTokens
    const completion_tokens = Math.min(plan.completionTokens, longestAnswer)
    const most = (amountOf: (model: string) => number) => Math.max(0, ...plan.models.map(amountOf))
    const amounts = {
      credits: most((model) => call.creditsOf(model, prompt_tokens + completion_tokens)),
      usd: most((model) => pricing(model, { prompt_tokens, completion_tokens }, now) ?? 0),
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
    this.#keep(reservationId)
    return {
      reservationId,
      budgets: budgets.map(({ budget_id, period, unit }) => ({
        budgetId: budget_id,
        periodStart: periodAt(period, now).start,
        unit,
      })),
    }
  }

  #keep(reservationId: string): void {
    this.#held.add(reservationId)
    this.#renewal ??= setInterval(() => void this.#renew(), leaseMs / 3).unref()
  }

  #letGo(reservation: BudgetHold | undefined): void {
    if (reservation) this.#held.delete(reservation.reservationId)
    if (this.#held.size > 0) return
    clearInterval(this.#renewal)
    this.#renewal = undefined
  }

  async #renew(): Promise<void> {
    try {
      await this.#options.reservations.extend([...this.#held], Date.now() + leaseMs)
    } catch (error) {
      this.#options.onFailure(error)
    }
  }
}
