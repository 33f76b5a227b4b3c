export { priceRoutes } from './routes.ts'
export { PriceService, type Pricing } from './service.ts'
export { createPriceStore } from './store.ts'
