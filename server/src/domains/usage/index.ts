/* Sums of tokens, credits and costs by day, and the charge that the transaction of an answer writes. */

export type { BudgetHold, Charge, Payer } from './charge.ts'
export { usageRoutes } from './routes.ts'
export { UsageService } from './service.ts'
export { createUsageStore } from './store.ts'
export { chargeStatements } from './store-charges.ts'
export { forgetUsers } from './store-forget.ts'
