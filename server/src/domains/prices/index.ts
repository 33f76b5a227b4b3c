/* Prices that a project has set, and the costs of its calls. */

export { priceRoutes } from './routes.ts'
export { PriceService, type Pricing } from './service.ts'
export { createPriceStore } from './store.ts'
