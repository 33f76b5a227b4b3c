import { type Config, ConfigError, localModelsFolder } from '../config.ts'
import {
  createDefaultsStore,
  createProviderStore,
  ModelDefaultsService,
  ProviderService,
} from '../domains/providers/index.ts'
import type { App } from '../http/fastify.ts'
import { SecretBox } from '../lib/secret-box.ts'
import { LocalModelError } from '../models/local/folder.ts'
import { LocalModels } from '../models/local/local-models.ts'
import { type ConfiguredProviders, Models } from '../models/models.ts'
import { createProviderReranker } from '../models/rerank/provider-reranker.ts'
import type { RerankModel } from '../models/rerank/rerank-model.ts'
import type { AppDependencies } from './dependencies.ts'
import { repeat } from './repeat.ts'

export type ModelServices = ReturnType<typeof createModels>

/** The values that are set. */
function given(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** The providers that the environment configures: those with a key, and compatible servers with an address. */
function configuredProviders(config: Config): ConfiguredProviders {
  const { openaiApiKey, anthropicApiKey, googleApiKey, compatibleBaseUrl } = config
  const { azureApiKey, bedrockApiKey, vertexApiKey } = config
  const vendors = ['mistral', 'groq', 'openrouter', 'cohere'] as const
  return {
    ...(openaiApiKey && {
      openai: { apiKey: openaiApiKey, baseUrl: config.openaiBaseUrl, models: config.openaiModels },
    }),
    ...(anthropicApiKey && {
      anthropic: {
        apiKey: anthropicApiKey,
        baseUrl: config.anthropicBaseUrl,
        models: config.anthropicModels,
      },
    }),
    ...(googleApiKey && {
      google: { apiKey: googleApiKey, baseUrl: config.googleBaseUrl, models: config.googleModels },
    }),
    ...(compatibleBaseUrl && {
      compatible: {
        apiKey: config.compatibleApiKey,
        baseUrl: compatibleBaseUrl,
        models: config.compatibleModels,
      },
    }),
    ...(azureApiKey && {
      azure: { apiKey: azureApiKey, baseUrl: config.azureBaseUrl, models: config.azureModels },
    }),
    ...(bedrockApiKey && {
      bedrock: {
        apiKey: bedrockApiKey,
        baseUrl: config.bedrockBaseUrl,
        models: config.bedrockModels,
        options: given({ region: config.bedrockRegion, access_key_id: config.bedrockAccessKeyId }),
      },
    }),
    ...(vertexApiKey && {
      vertex: {
        apiKey: vertexApiKey,
        baseUrl: config.vertexBaseUrl,
        models: config.vertexModels,
        options: given({ location: config.vertexLocation, project: config.vertexProject }),
      },
    }),
    ...Object.fromEntries(
      vendors.flatMap((vendor) => {
        const apiKey = config[`${vendor}ApiKey`]
        const [baseUrl, models] = [config[`${vendor}BaseUrl`], config[`${vendor}Models`]]
        return apiKey ? [[vendor, { apiKey, baseUrl, models }] as const] : []
      }),
    ),
    ...Object.fromEntries(config.modelServers.map(({ name, ...settings }) => [name, settings] as const)),
  }
}

/** The rerank model that the environment configures. */
function configuredRerankers({
  rerankModel,
  rerankApiKey,
  rerankBaseUrl,
  rerankSeconds,
}: Config): RerankModel[] {
  if (!rerankModel) return []
  const access = { apiKey: rerankApiKey, baseUrl: rerankBaseUrl }
  return [createProviderReranker({ name: rerankModel, ...access, quietMs: rerankSeconds * 1000 })]
}

/** @throws ConfigError if the configured embedding model is local and not installed */
function openLocalModels(config: Config, logger: AppDependencies['logger']): LocalModels {
  const { embeddingModel } = config
  const folder = localModelsFolder(config)
  const onProblem = (model: string, problem: unknown) =>
    logger.error({ model, err: problem }, 'a local model cannot be run')
  try {
    const local = new LocalModels(folder, onProblem)
    if (!embeddingModel?.startsWith('local/') || local.embedding(embeddingModel)) return local
    throw new LocalModelError(
      `CAIRN_EMBEDDING_MODEL: there is no embedding model ${embeddingModel} in ${folder}; see cairn models list`,
    )
  } catch (error) {
    throw error instanceof LocalModelError ? new ConfigError(error.message) : error
  }
}

/** Interval at which a server reads the stored providers, which other servers may change. */
const providerRefreshMs = 2_000

export function createModels({ config, db, encryptionKey, logger }: AppDependencies) {
  const { defaultModel, embeddingModel, embeddingDimensions } = config
  const environment = configuredProviders(config)
  const local = openLocalModels(config, logger)
  const models = new Models({
    providers: environment,
    embeddingModel,
    embeddingDimensions,
    defaultModel,
    quietMs: config.modelSeconds * 1000,
    rerankers: [...configuredRerankers(config), ...local.rerankers],
    localEmbedding: (name) => local.embedding(name),
  })
  let onChange = () => {}
  let onEmbeddingChange = () => {}
  const providers = new ProviderService({
    store: createProviderStore(db),
    box: new SecretBox(encryptionKey),
    models,
    environment,
    defaultModel,
    onChange: () => onChange(),
    onProblem: (provider, problem) => logger.error({ provider, problem }, 'a stored provider cannot be used'),
  })
  const defaults = new ModelDefaultsService({
    store: createDefaultsStore(db),
    models,
    onChange: () => onChange(),
    onEmbeddingChange: () => onEmbeddingChange(),
  })
  /** Sets the functions that are called after each change of the models, and of the server's embedding model. */
  const whenChanged = (changed: () => void, embeddingChanged: () => void) => {
    onChange = changed
    onEmbeddingChange = embeddingChanged
  }
  return { models, providers, defaults, whenChanged, local }
}

/**
 * Reads the stored providers. Logs a warning if the environment names a model whose provider is not configured.
 *
 * @throws ConfigError if the server does not know the default model at all
 */
export async function loadProviders(
  { config, logger }: AppDependencies,
  { models, providers, defaults }: Pick<ModelServices, 'models' | 'providers' | 'defaults'>,
): Promise<void> {
  await providers.refresh()
  await defaults.refresh()
  const { defaultModel, embeddingModel } = config
  if (defaultModel !== undefined && !models.isKnown(defaultModel)) {
    throw new ConfigError(`CAIRN_DEFAULT_MODEL: ${defaultModel} is not a model that this server knows`)
  }
  const unconfigured = 'its provider is not configured; set it in the environment or on the console'
  if (defaultModel !== undefined && !models.exactly(defaultModel)) {
    logger.warn({ variable: 'CAIRN_DEFAULT_MODEL', model: defaultModel }, unconfigured)
  }
  if (embeddingModel !== undefined && defaults.get().embedding_model === null && !models.embedding) {
    logger.warn({ variable: 'CAIRN_EMBEDDING_MODEL', model: embeddingModel }, unconfigured)
  }
}

/** Reads the stored providers repeatedly while the server listens. Returns a function that stops it. */
export function refreshProviders(
  app: App,
  { providers, defaults }: Pick<ModelServices, 'providers' | 'defaults'>,
): () => Promise<void> {
  let hasFailed = false
  const run = async () => {
    try {
      await providers.refresh()
      await defaults.refresh()
      hasFailed = false
    } catch (error) {
      // Only the first failure is logged, because the next attempt follows after two seconds.
      if (!hasFailed)
        app.log.warn(error, 'the stored providers could not be read; the last known ones stay in use')
      hasFailed = true
    }
  }
  return repeat(app, { everyMs: providerRefreshMs, atStart: false, run })
}
