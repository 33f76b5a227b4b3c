import { builtInModels, defaultModel, extractiveModel, type KnownModel } from './catalogue.ts'
import type { ChatModel } from './chat.ts'
import { createChatModel } from './chat-model.ts'
import { createEmbedder } from './embedder.ts'
import type { EmbeddingModel } from './embedding.ts'
import type { Provider, ProviderAccess, ProviderName } from './provider.ts'
import { lazyProvider } from './providers.ts'

interface ProviderSettings extends ProviderAccess {
  /** Further models, and other ids for built-in names. */
  models: readonly { name: string; id: string }[]
}

export interface ModelSettings {
  /** The providers that are configured. */
  providers: Partial<Record<ProviderName, ProviderSettings>>
  /** Answers when the model asked for has no provider or fails. */
  defaultModel: string | undefined
  /** `provider/model`; its provider is configured. */
  embeddingModel: string | undefined
  embeddingDimensions: number | undefined
  /** Time of silence after which a model has failed. */
  quietMs: number
}

/** The order in which providers step in for one another. */
const providerNames: readonly ProviderName[] = ['openai', 'anthropic', 'google', 'compatible']

/** The models that requests may name, and those that this server can run. */
export class Models {
  /** Undefined when none is configured: nothing is embedded then. */
  readonly embedding: EmbeddingModel | undefined
  readonly #loaders = new Map<ProviderName, () => Promise<Provider>>()
  readonly #quietMs: number
  readonly #known: ReadonlySet<string>
  /** Those of configured providers, by the name that requests use. */
  readonly #chat = new Map<string, ChatModel>()
  readonly #setDefault: ChatModel | undefined
  /** The first choice of all, then the first of each provider. */
  readonly #defaults: readonly ChatModel[]

  constructor(settings: ModelSettings) {
    const { providers, embeddingModel: name, embeddingDimensions: dimensions, quietMs } = settings
    const known = knownModels(providers)
    this.#known = new Set(known.keys())
    const loaders = this.#loaders
    this.#quietMs = quietMs
    for (const providerName of providerNames) {
      const access = providers[providerName]
      if (access) loaders.set(providerName, lazyProvider(providerName, access))
    }
    for (const { name, shown, provider: providerName, id } of known.values()) {
      const provider = loaders.get(providerName)
      if (provider)
        this.#chat.set(name, createChatModel({ name: shown, id, providerName, provider, quietMs }))
    }
    this.#setDefault = this.#chat.get(settings.defaultModel ?? '')
    this.#defaults = this.#chooseDefaults()
    const provider = loaders.get(name?.split('/')[0] as ProviderName)
    if (name && provider) this.embedding = createEmbedder({ name, provider, dimensions, quietMs })
  }

  /** An embedding model by its id, while its provider is configured: documents may have vectors of an earlier one. */
  embeddingOf(id: string): EmbeddingModel | undefined {
    if (id === this.embedding?.id) return this.embedding
    const [, name = '', dimensions] = /^(.+?)(?:@(\d+))?$/.exec(id) ?? []
    const provider = this.#loaders.get(name.split('/')[0] as ProviderName)
    return (
      provider &&
      createEmbedder({
        name,
        provider,
        dimensions: dimensions === undefined ? undefined : Number(dimensions),
        quietMs: this.#quietMs,
      })
    )
  }

  /** Whether requests and settings may name it. */
  isKnown(name: string): boolean {
    return name === extractiveModel || this.#known.has(name)
  }

  /** Whether any model of a provider can answer. */
  get hasChat(): boolean {
    return this.#chat.size > 0
  }

  /** Whether a provider is configured for the model of that name. */
  canRun(name: string): boolean {
    return this.#chat.has(name)
  }

  /**
   * What answers when a name is asked for: that model, else the default; undefined for the built-in answerer, which
   * is meant by its own name and is all there is without a provider.
   */
  chat(name: string): ChatModel | undefined {
    return name === extractiveModel ? undefined : (this.#chat.get(name) ?? this.#defaults[0])
  }

  /**
   * What steps in for a model that fails: the default model if one was set, else a default of another provider, else
   * another one of the same.
   */
  fallback(failed: ChatModel): ChatModel | undefined {
    const others = this.#defaults.filter((model) => model.name !== failed.name)
    const set = others.find((model) => model === this.#setDefault)
    return set ?? others.find((model) => model.provider !== failed.provider) ?? others[0]
  }

  #chooseDefaults(): ChatModel[] {
    const ofProviders = providerNames.map((provider) =>
      [...this.#chat.values()].find((model) => model.provider === provider),
    )
    const all = [this.#setDefault, this.#chat.get(defaultModel), ...ofProviders]
    return [...new Set(all.filter((model) => model !== undefined))]
  }
}

/**
 * Names of the environment come before the built-in ones, and are shown as the id that they stand for: what really
 * ran, and what has a price.
 */
function knownModels(providers: ModelSettings['providers']): Map<string, KnownModel & { shown: string }> {
  const set = providerNames.flatMap((provider) =>
    (providers[provider]?.models ?? []).map((model) => ({ ...model, provider, shown: model.id })),
  )
  const names = new Set(set.map(({ name }) => name))
  const others = builtInModels.filter(({ name }) => !names.has(name))
  const builtIn = others.map((model) => ({ ...model, shown: model.name }))
  return new Map([...set, ...builtIn].map((model) => [model.name, model]))
}
