import type {
  Budget,
  CreateBudget,
  Deleted,
  ListBudgetsQuery,
  ModelDefaults,
  ModelList,
  Multiplier,
  Provider,
  ProviderName,
  ServerEmbedding,
  SetModelDefaults,
  SetMultiplier,
  SetProvider,
  TriedModel,
  TryModel,
  UpdateBudget,
  UsageQuery,
  UsageReport,
} from '@cairn/contract'
import { type CallOptions, path, type Transport } from './transport.ts'

const base = '/v1/console'

/** Console calls for models and their providers. */
export function modelCalls(transport: Transport) {
  const provider = (name: ProviderName) => base + path`/providers/${name}`
  return {
    models: {
      /** Models that requests can name, and the models that really run for these names. */
      list: (options?: CallOptions) => transport.json<ModelList>('GET', `${base}/models`, options),
      /** Makes one short call; rejects with the error message of the provider. */
      try: (request: TryModel, options?: CallOptions) =>
        transport.json<TriedModel>('POST', `${base}/models/try`, { body: request, ...options }),
    },
    /** The models that the console has chosen for the whole server. */
    modelDefaults: {
      get: (options?: CallOptions) =>
        transport.json<ModelDefaults>('GET', `${base}/models/defaults`, options),
      /** Null means the choice of the environment; a field that is left out keeps its choice. */
      set: (request: SetModelDefaults, options?: CallOptions) =>
        transport.json<ModelDefaults>('PUT', `${base}/models/defaults`, { body: request, ...options }),
    },
    /** How many chunks of all chats have vectors of the server's embedding model. */
    embedding: (options?: CallOptions) =>
      transport.json<ServerEmbedding>('GET', `${base}/embedding`, options),
    providers: {
      list: (options?: CallOptions) => transport.json<Provider[]>('GET', `${base}/providers`, options),
      get: (name: ProviderName, options?: CallOptions) =>
        transport.json<Provider>('GET', provider(name), options),
      /** Overrides the environment. If the key is left out, the stored key stays. */
      set: (name: ProviderName, settings: SetProvider, options?: CallOptions) =>
        transport.json<Provider>('PUT', provider(name), { body: settings, ...options }),
      delete: (name: ProviderName, options?: CallOptions) =>
        transport.json<Deleted>('DELETE', provider(name), options),
    },
  }
}

/** Console calls for credits: multipliers, budgets and usage. */
export function creditCalls(transport: Transport) {
  const budget = (budgetId: string) => base + path`/budgets/${budgetId}`
  return {
    multipliers: {
      list: (options?: CallOptions) => transport.json<Multiplier[]>('GET', `${base}/multipliers`, options),
      set: (request: SetMultiplier, options?: CallOptions) =>
        transport.json<Multiplier>('PUT', `${base}/multipliers`, { body: request, ...options }),
      delete: (model: string, options?: CallOptions) =>
        transport.json<Deleted>('DELETE', base + path`/multipliers/${model}`, options),
    },
    budgets: {
      create: (request: CreateBudget, options?: CallOptions) =>
        transport.json<Budget>('POST', `${base}/budgets`, { body: request, ...options }),
      /** Budgets with the amounts spent. */
      list: (query: ListBudgetsQuery = {}, options?: CallOptions) =>
        transport.json<Budget[]>('GET', `${base}/budgets`, { query, ...options }),
      get: (budgetId: string, options?: CallOptions) =>
        transport.json<Budget>('GET', budget(budgetId), options),
      update: (budgetId: string, changes: UpdateBudget, options?: CallOptions) =>
        transport.json<Budget>('PATCH', budget(budgetId), { body: changes, ...options }),
      delete: (budgetId: string, options?: CallOptions) =>
        transport.json<Deleted>('DELETE', budget(budgetId), options),
    },
    /** Usage of all projects, unless the query names one. */
    usage: (query: UsageQuery = {}, options?: CallOptions) =>
      transport.json<UsageReport>('GET', `${base}/usage`, { query, ...options }),
  }
}
