export { ModelService } from './models.ts'
export { providerRoutes } from './routes.ts'
export { ProviderService } from './service.ts'
export { createProviderStore } from './store.ts'
