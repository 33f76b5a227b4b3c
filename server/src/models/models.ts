import type { ProviderName, VendorName } from '@cairn/contract'
import { builtInModels, defaultModel, extractiveModel, type KnownModel } from './catalogue.ts'
import type { ChatModel } from './chat.ts'
import { createChatModel } from './chat-model.ts'
import { createEmbedder } from './embedder.ts'
import type { EmbeddingModel } from './embedding.ts'
import type { Provider, ProviderAccess } from './provider.ts'
import { inOrder, lazyProvider, qualified } from './providers.ts'
import type { RerankModel } from './rerank/rerank-model.ts'

export interface ProviderSettings extends ProviderAccess {
  /** Additional models, and other ids for built-in names. */
  models: readonly { name: string; id: string }[]
  /** Why the configured provider cannot be called. Its models stay known. */
  problem?: string | undefined
}

export type ConfiguredProviders = Readonly<Record<string, ProviderSettings>>

export interface ModelSettings {
  /** The configured providers. */
  providers: ConfiguredProviders
  /** Answers if the requested model has no provider or fails. */
  defaultModel: string | undefined
  /** `provider/model`. */
  embeddingModel: string | undefined
  embeddingDimensions: number | undefined
  /** Time without output after which a call has failed. */
  quietMs: number
  /** Models that rank passages. */
  rerankers?: readonly RerankModel[]
  /** An embedding model of this machine by its name, which begins with `local/`. */
  localEmbedding?: (name: string) => EmbeddingModel | undefined
}

/** Models that the console has chosen; the environment's apply where there is none. */
export interface ChosenModels {
  defaultModel?: string | undefined
  /** An id (`provider/model@length`), or `none`. */
  embeddingModel?: string | undefined
}

/** The choice of no embedding model. */
const noEmbedding = 'none'

/** A model and its name in requests; `shown` is its name in answers and traces. */
export interface NamedModel extends KnownModel {
  shown: string
}

/** State derived from the configured providers. */
interface Setup {
  loaders: ReadonlyMap<ProviderName, () => Promise<Provider>>
  known: ReadonlyMap<string, NamedModel>
  /** Models whose providers can be called, by their name in requests. */
  chat: ReadonlyMap<string, ChatModel>
  setDefault: ChatModel | undefined
  /** The server's default first, then the default of each provider. */
  defaults: readonly ChatModel[]
  embedding: EmbeddingModel | undefined
}

/** The models that requests may name, and the models that this server can call. */
export class Models {
  readonly #settings: ModelSettings
  #providers: ConfiguredProviders
  #chosen: ChosenModels = {}
  #setup: Setup

  constructor(settings: ModelSettings) {
    this.#settings = settings
    this.#providers = settings.providers
    this.#setup = setUp(settings)
  }

  /** Replaces the providers. Running calls finish with their old provider. */
  useProviders(providers: ConfiguredProviders): void {
    this.#providers = providers
    this.#setUp()
  }

  /** Replaces the choices of the console. */
  useChosen(chosen: ChosenModels): void {
    this.#chosen = chosen
    this.#setUp()
  }

  #setUp(): void {
    const { defaultModel = this.#settings.defaultModel, embeddingModel } = this.#chosen
    const settings = { ...this.#settings, providers: this.#providers, defaultModel }
    this.#setup = setUp(
      embeddingModel === undefined ? settings : { ...settings, ...embeddingSettings(embeddingModel) },
    )
  }

  /** The name of the default model, if one is configured or chosen. */
  get defaultName(): string | undefined {
    return this.#chosen.defaultModel ?? this.#settings.defaultModel
  }

  /** Undefined if no embedding model is configured; nothing is embedded then. */
  get embedding(): EmbeddingModel | undefined {
    return this.#setup.embedding
  }

  /** An embedding model by id, if its provider is configured. Documents may have vectors of an earlier model. */
  embeddingOf(id: string): EmbeddingModel | undefined {
    const { embedding, loaders } = this.#setup
    if (id === embedding?.id) return embedding
    if (id.startsWith('local/')) return this.#settings.localEmbedding?.(id)
    const { embeddingModel: name = '', embeddingDimensions: dimensions } = embeddingSettings(id)
    const provider = loaders.get(providerOf(name))
    return provider && createEmbedder({ name, provider, dimensions, quietMs: this.#settings.quietMs })
  }

  /** The embedding model of a chat. @param choice an id or `none`; null for the server's model */
  embeddingFor(choice: string | null): EmbeddingModel | undefined {
    if (choice === null) return this.embedding
    return choice === noEmbedding ? undefined : this.embeddingOf(choice)
  }

  /** The reason why an id is not that of an embedding model that can be called, or `none`. */
  problemOfEmbedding(id: string): string | undefined {
    if (id === noEmbedding) return undefined
    const provider = providerOf(id)
    if (provider === 'local')
      return this.embeddingOf(id) ? undefined : 'names a local model that is not installed'
    if (withoutEmbeddings.includes(provider)) return `names ${provider}, which has no embedding models`
    return this.#setup.loaders.has(provider)
      ? undefined
      : `names the provider ${provider}, which is not configured`
  }

  /** The names of all models that rank passages. */
  get rerankNames(): string[] {
    return (this.#settings.rerankers ?? []).map(({ name }) => name)
  }

  /** The model that ranks passages by this name; undefined if it is not configured. */
  rerank(name: string): RerankModel | undefined {
    return this.#settings.rerankers?.find((model) => model.name === name)
  }

  /** Every model that requests can name, except the built-in answerer. */
  list(): NamedModel[] {
    return [...this.#setup.known.values()]
  }

  /** Whether requests and settings may use the name. */
  isKnown(name: string): boolean {
    return name === extractiveModel || this.#setup.known.has(name)
  }

  /** Whether the name is known without any configuration. */
  isBuiltIn(name: string): boolean {
    return name === extractiveModel || builtInModels.some((model) => model.name === name)
  }

  /** Whether a model of any provider can answer. */
  get hasChat(): boolean {
    return this.#setup.chat.size > 0
  }

  /** The model with exactly this name; undefined if its provider cannot be called. */
  exactly(name: string): ChatModel | undefined {
    return this.#setup.chat.get(name)
  }

  /**
   * The model that answers for a name: this model, or else the default. Undefined means the built-in answerer, either
   * by its own name or because no provider is configured.
   */
  chat(name: string): ChatModel | undefined {
    const { chat, defaults } = this.#setup
    return name === extractiveModel ? undefined : (chat.get(name) ?? defaults[0])
  }

  /**
   * The replacement of a failed model: the configured default model, else the default of another provider, else another
   * model of the same provider.
   */
  fallback(failed: ChatModel): ChatModel | undefined {
    const { defaults, setDefault } = this.#setup
    const others = defaults.filter((model) => model.name !== failed.name)
    const set = others.find((model) => model === setDefault)
    return set ?? others.find((model) => model.provider !== failed.provider) ?? others[0]
  }
}

/** Providers without embedding models. */
const withoutEmbeddings: readonly string[] = ['anthropic', 'groq'] satisfies VendorName[]

/** The provider in the id of an embedding model. */
function providerOf(id: string): string {
  return id.slice(0, Math.max(id.indexOf('/'), 0))
}

function embeddingSettings(id: string): Pick<ModelSettings, 'embeddingModel' | 'embeddingDimensions'> {
  if (id === noEmbedding) return { embeddingModel: undefined, embeddingDimensions: undefined }
  const [, name, length] = /^(.+?)(?:@(\d{1,5}))?$/.exec(id) ?? []
  return {
    embeddingModel: name,
    embeddingDimensions: length === undefined ? undefined : Number(length),
  }
}

function setUp(settings: ModelSettings): Setup {
  const { providers, embeddingModel, embeddingDimensions: dimensions, quietMs } = settings
  const loaders = new Map<ProviderName, () => Promise<Provider>>()
  for (const [providerName, access] of Object.entries(providers)) {
    if (access.problem === undefined) loaders.set(providerName, lazyProvider(providerName, access))
  }
  const known = knownModels(providers)
  const chat = new Map<string, ChatModel>()
  for (const { name, shown, provider: providerName, id } of known.values()) {
    const provider = loaders.get(providerName)
    if (provider) chat.set(name, createChatModel({ name: shown, id, providerName, provider, quietMs }))
  }
  const setDefault = chat.get(settings.defaultModel ?? '')
  const provider = loaders.get(providerOf(embeddingModel ?? ''))
  const local = settings.localEmbedding?.(embeddingModel ?? '')
  const embedding =
    embeddingModel === undefined || !provider
      ? local
      : createEmbedder({ name: embeddingModel, provider, dimensions, quietMs })
  return { loaders, known, chat, setDefault, defaults: chooseDefaults(chat, known, setDefault), embedding }
}

function chooseDefaults(
  chat: ReadonlyMap<string, ChatModel>,
  known: ReadonlyMap<string, NamedModel>,
  setDefault: ChatModel | undefined,
): ChatModel[] {
  const retired = new Set(
    [...known.values()].flatMap(({ name, isRetired }) => (isRetired ? chat.get(name) : [])),
  )
  const models = [...chat.values()]
  const ofProviders = inOrder(new Set(models.map(({ provider }) => provider))).map((provider) =>
    models.find((model) => model.provider === provider && !retired.has(model)),
  )
  const all = [setDefault, chat.get(defaultModel), ...ofProviders]
  return [...new Set(all.filter((model) => model !== undefined))]
}

/**
 * Configured names override built-in ones. They are shown as the id that they stand for, because the id is the model
 * that ran and has the price.
 */
function knownModels(providers: ConfiguredProviders): Map<string, NamedModel> {
  const set = inOrder(Object.keys(providers)).flatMap((provider) =>
    (providers[provider]?.models ?? []).map(({ name, id }) => {
      return { name: qualified(provider, name), id, provider, shown: qualified(provider, id) }
    }),
  )
  const names = new Set(set.map(({ name }) => name))
  const others = builtInModels.filter(({ name }) => !names.has(name))
  const builtIn = others.map((model) => ({ ...model, shown: model.name }))
  return new Map([...set, ...builtIn].map((model) => [model.name, model]))
}
