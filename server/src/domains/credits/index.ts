/*
 * Multipliers of models; budgets and their reservations.
 *
 * Before a model is called, a part of each budget of the question is reserved. The transaction locks the budget's period and
 * reads its spent and reserved amounts there, so concurrent questions in several processes cannot exceed the budget. A
 * reservation is a row with a lease that the process renews. The transaction of the trace writes the actual usage, the
 * amounts spent and the end of the reservation. These are merged for the whole group and sorted by key.
 */

export { BudgetService } from './budgets.ts'
export { Meter, type Reservation } from './meter.ts'
export { MultiplierService } from './multipliers.ts'
export { budgetRoutes, multiplierRoutes } from './routes.ts'
export { createBudgetStore, deleteUserBudgets } from './store-budgets.ts'
export { chargeStatements } from './store-charges.ts'
export { createMultiplierStore } from './store-multipliers.ts'
export { createReservationStore } from './store-reservations.ts'
