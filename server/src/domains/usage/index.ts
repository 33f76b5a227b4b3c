/* Sums of tokens, credits and costs by day, and the charge that the transaction of an answer writes. */

export type { BudgetReservation, Charge, Payer } from './charge.ts'
export { usageRoutes } from './routes.ts'
export { UsageService } from './service.ts'
export { createUsageStore, usageDeletion } from './store.ts'
export { sumByKey, usageStatements } from './store-charges.ts'
export { forgetUserInUsage } from './store-forget.ts'
