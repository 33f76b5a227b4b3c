import {
  BudgetService,
  createBudgetStore,
  createMultiplierStore,
  createReservationStore,
  Meter,
  MultiplierService,
} from '../domains/credits/index.ts'
import { ModelService } from '../domains/providers/index.ts'
import { createUsageStore, UsageService } from '../domains/usage/index.ts'
import type { ChatServices } from './chats.ts'
import type { AppDependencies } from './dependencies.ts'
import type { EventServices } from './events.ts'
import type { ModelServices } from './models.ts'
import type { TraceServices } from './traces.ts'

export type CreditServices = ReturnType<typeof createCredits>

/** Credits of models, budgets, what was used, and the list of models that says what each costs. */
export function createCredits(
  { db, logger }: AppDependencies,
  services: TraceServices & ModelServices & EventServices & ChatServices,
) {
  const { access, prices, events, chats, models, providers } = services
  const multipliers = new MultiplierService(createMultiplierStore(db))
  const budgets = new BudgetService({
    store: createBudgetStore(db),
    access,
    projectOfChat: (id) => chats.projectOf(id),
  })
  const meter = new Meter({
    multipliers,
    budgets,
    reservations: createReservationStore(db),
    pricing: (projectId) => prices.pricing(projectId),
    wake: () => events.wake(),
    onFailure: (error) => logger.warn({ err: error }, 'reservations of budgets could not be renewed'),
  })
  const catalogue = new ModelService({ models, providers, multipliers: () => multipliers.current() })
  return { multipliers, budgets, meter, catalogue, usage: new UsageService(createUsageStore(db)) }
}
