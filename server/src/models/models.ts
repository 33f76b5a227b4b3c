import { type ProviderName, providerNames } from '@cairn/contract'
import { builtInModels, defaultModel, extractiveModel, type KnownModel } from './catalogue.ts'
import type { ChatModel } from './chat.ts'
import { createChatModel } from './chat-model.ts'
import { createEmbedder } from './embedder.ts'
import type { EmbeddingModel } from './embedding.ts'
import type { Provider, ProviderAccess } from './provider.ts'
import { lazyProvider } from './providers.ts'

export interface ProviderSettings extends ProviderAccess {
  /** Further models, and other ids for built-in names. */
  models: readonly { name: string; id: string }[]
  /** Why it cannot be called though it is configured; its models are known all the same. */
  problem?: string | undefined
}

export type ConfiguredProviders = Partial<Record<ProviderName, ProviderSettings>>

export interface ModelSettings {
  /** The providers that are configured. */
  providers: ConfiguredProviders
  /** Answers when the model asked for has no provider or fails. */
  defaultModel: string | undefined
  /** `provider/model`. */
  embeddingModel: string | undefined
  embeddingDimensions: number | undefined
  /** Time of silence after which a model has failed. */
  quietMs: number
}

/** A model by the name that requests use; `shown` is what answers and traces call it. */
export interface NamedModel extends KnownModel {
  shown: string
}

/** What follows from the providers that are configured. */
interface Setup {
  loaders: ReadonlyMap<ProviderName, () => Promise<Provider>>
  known: ReadonlyMap<string, NamedModel>
  /** Those of providers that can be called, by the name that requests use. */
  chat: ReadonlyMap<string, ChatModel>
  setDefault: ChatModel | undefined
  /** The first choice of all, then the first of each provider. */
  defaults: readonly ChatModel[]
  embedding: EmbeddingModel | undefined
}

/** The models that requests may name, and those that this server can run. */
export class Models {
  readonly #settings: ModelSettings
  #setup: Setup

  constructor(settings: ModelSettings) {
    this.#settings = settings
    this.#setup = setUp(settings)
  }

  /** Puts these providers in the place of those there are. Calls under way end with the one they began with. */
  useProviders(providers: ConfiguredProviders): void {
    this.#setup = setUp({ ...this.#settings, providers })
  }

  /** Undefined when none is configured: nothing is embedded then. */
  get embedding(): EmbeddingModel | undefined {
    return this.#setup.embedding
  }

  /** An embedding model by its id, while its provider is configured: documents may have vectors of an earlier one. */
  embeddingOf(id: string): EmbeddingModel | undefined {
    const { embedding, loaders } = this.#setup
    if (id === embedding?.id) return embedding
    const [, name = '', dimensions] = /^(.+?)(?:@(\d+))?$/.exec(id) ?? []
    const provider = loaders.get(name.split('/')[0] as ProviderName)
    return (
      provider &&
      createEmbedder({
        name,
        provider,
        dimensions: dimensions === undefined ? undefined : Number(dimensions),
        quietMs: this.#settings.quietMs,
      })
    )
  }

  /** Every model that can be named but the built-in answerer. */
  list(): NamedModel[] {
    return [...this.#setup.known.values()]
  }

  /** Whether requests and settings may name it. */
  isKnown(name: string): boolean {
    return name === extractiveModel || this.#setup.known.has(name)
  }

  /** Whether it is known whatever is configured. */
  isBuiltIn(name: string): boolean {
    return name === extractiveModel || builtInModels.some((model) => model.name === name)
  }

  /** Whether any model of a provider can answer. */
  get hasChat(): boolean {
    return this.#setup.chat.size > 0
  }

  /** The model of that name alone; undefined without a provider that can be called. */
  exactly(name: string): ChatModel | undefined {
    return this.#setup.chat.get(name)
  }

  /**
   * What answers when a name is asked for: that model, else the default; undefined for the built-in answerer, which
   * is meant by its own name and is all there is without a provider.
   */
  chat(name: string): ChatModel | undefined {
    const { chat, defaults } = this.#setup
    return name === extractiveModel ? undefined : (chat.get(name) ?? defaults[0])
  }

  /**
   * What steps in for a model that fails: the default model if one was set, else a default of another provider, else
   * another one of the same.
   */
  fallback(failed: ChatModel): ChatModel | undefined {
    const { defaults, setDefault } = this.#setup
    const others = defaults.filter((model) => model.name !== failed.name)
    const set = others.find((model) => model === setDefault)
    return set ?? others.find((model) => model.provider !== failed.provider) ?? others[0]
  }
}

function setUp(settings: ModelSettings): Setup {
  const { providers, embeddingModel, embeddingDimensions: dimensions, quietMs } = settings
  const loaders = new Map<ProviderName, () => Promise<Provider>>()
  for (const providerName of providerNames) {
    const access = providers[providerName]
    if (access && access.problem === undefined) loaders.set(providerName, lazyProvider(providerName, access))
  }
  const known = knownModels(providers)
  const chat = new Map<string, ChatModel>()
  for (const { name, shown, provider: providerName, id } of known.values()) {
    const provider = loaders.get(providerName)
    if (provider) chat.set(name, createChatModel({ name: shown, id, providerName, provider, quietMs }))
  }
  const setDefault = chat.get(settings.defaultModel ?? '')
  const provider = loaders.get(embeddingModel?.split('/')[0] as ProviderName)
  const embedding =
    embeddingModel === undefined || !provider
      ? undefined
      : createEmbedder({ name: embeddingModel, provider, dimensions, quietMs })
  return { loaders, known, chat, setDefault, defaults: chooseDefaults(chat, setDefault), embedding }
}

function chooseDefaults(
  chat: ReadonlyMap<string, ChatModel>,
  setDefault: ChatModel | undefined,
): ChatModel[] {
  const ofProviders = providerNames.map((provider) =>
    [...chat.values()].find((model) => model.provider === provider),
  )
  const all = [setDefault, chat.get(defaultModel), ...ofProviders]
  return [...new Set(all.filter((model) => model !== undefined))]
}

/**
 * Names that somebody configured come before the built-in ones, and are shown as the id that they stand for: what
 * really ran, and what has a price.
 */
function knownModels(providers: ConfiguredProviders): Map<string, NamedModel> {
  const set = providerNames.flatMap((provider) =>
    (providers[provider]?.models ?? []).map((model) => ({ ...model, provider, shown: model.id })),
  )
  const names = new Set(set.map(({ name }) => name))
  const others = builtInModels.filter(({ name }) => !names.has(name))
  const builtIn = others.map((model) => ({ ...model, shown: model.name }))
  return new Map([...set, ...builtIn].map((model) => [model.name, model]))
}
