import type { Model, ModelList } from '@cairn/contract'
import { extractiveModel, knownEmbeddings } from '../../models/catalogue.ts'
import type { Models } from '../../models/models.ts'
import { findPrice } from '../../models/prices.ts'
import type { ProviderService } from './service.ts'

export interface CatalogueOptions {
  models: Models
  providers: ProviderService
  /** Loads the credits per 1,000 tokens of a model. */
  multipliers: () => Promise<(model: string) => number>
}

/**
 * All known models. `name` is a model's name in requests; `runs` and `default_model` are names in answers and traces,
 * which differ if a configured name stands for another id.
 */
export async function listModels({ models, providers, multipliers }: CatalogueOptions): Promise<ModelList> {
  const multiplierOf = await multipliers()
  const defaultChat = models.chat('')
  const defaultShown = defaultChat?.name ?? extractiveModel
  const chat = models.list().map(
    ({ name, provider, id, shown, contextWindow, isRetired = false }): Model => ({
      name,
      kind: 'chat',
      provider,
      id,
      configured: models.exactly(name) !== undefined,
      retired: isRetired,
      source: providers.sourceOf(provider),
      runs: models.chat(name)?.name ?? extractiveModel,
      // Compares models, not shown names: several names can stand for one id.
      is_default: defaultChat !== undefined && models.exactly(name) === defaultChat,
      context_window: contextWindow ?? null,
      price: priceOf(shown),
      credits_multiplier: multiplierOf(shown),
    }),
  )
  return {
    models: [...chat, extractive(defaultShown), ...embeddings({ models, providers }), ...rerankers(models)],
    default_model: defaultShown,
    embedding_model: nameOf(models.embedding?.id),
  }
}

function extractive(defaultShown: string): Model {
  return {
    name: extractiveModel,
    kind: 'chat',
    provider: null,
    id: extractiveModel,
    configured: true,
    retired: false,
    source: null,
    runs: extractiveModel,
    is_default: defaultShown === extractiveModel,
    context_window: null,
    price: null,
    credits_multiplier: 0,
  }
}

/** The known embedding models, and the one in use. */
function embeddings({ models, providers }: Pick<CatalogueOptions, 'models' | 'providers'>): Model[] {
  const used = nameOf(models.embedding?.id)
  const names = new Set([...knownEmbeddings.keys(), ...(used === null ? [] : [used])])
  return [...names].map((name) => {
    const [provider, id] = [name.slice(0, name.indexOf('/')), name.slice(name.indexOf('/') + 1)]
    const [known] = providers.list().filter((one) => one.provider === provider)
    return {
      name,
      kind: 'embedding',
      provider: known?.provider ?? null,
      id,
      configured: known?.configured ?? name.startsWith('local/'),
      retired: false,
      source: known?.source ?? null,
      runs: used,
      is_default: name === used,
      context_window: knownEmbeddings.get(name)?.contextWindow ?? null,
      price: priceOf(name),
      credits_multiplier: null,
    }
  })
}

function rerankers(models: Models): Model[] {
  return models.rerankNames.map((name) => ({
    name,
    kind: 'rerank',
    provider: null,
    id: name.slice(name.indexOf('/') + 1),
    configured: true,
    retired: false,
    source: 'environment',
    runs: name,
    is_default: false,
    context_window: null,
    price: priceOf(name),
    credits_multiplier: null,
  }))
}

/** The name of an embedding model without the number of dimensions, which its id may end with (`@256`). */
function nameOf(id: string | undefined): string | null {
  return id?.replace(/@\d+$/, '') ?? null
}

function priceOf(model: string): Model['price'] {
  const price = findPrice(model, Date.now())
  return price ? { input: price.input, output: price.output ?? null } : null
}
