/* Prices that a project sets for itself, and the cost of its calls. */

export { priceRoutes } from './routes.ts'
export { PriceService, type Pricing } from './service.ts'
export { createPriceStore } from './store.ts'
