/*
 * Model providers and default models of the console, which override those of the environment; the list of models; test
 * calls.
 *
 * `Models` is rebuilt from both sources after a change: immediately in this process, and after the next poll of the table in
 * other processes. Running calls finish with their old provider. Search indexes are freed, so that the next question checks
 * which vectors it needs.
 */

export { ModelDefaultsService } from './defaults.ts'
export { ModelService } from './models.ts'
export { providerRoutes } from './routes.ts'
export { ProviderService } from './service.ts'
export { createProviderStore } from './store.ts'
export { createDefaultsStore } from './store-defaults.ts'
