import { type Config, ConfigError } from '../config.ts'
import { createProviderStore, ProviderService } from '../domains/providers/index.ts'
import type { App } from '../http/fastify.ts'
import { SecretBox } from '../lib/secret-box.ts'
import { type ConfiguredProviders, Models } from '../models/models.ts'
import type { AppDependencies } from './dependencies.ts'
import { repeat } from './repeat.ts'

export type ModelServices = ReturnType<typeof createModels>

/** A provider counts as configured when it has a key; a compatible server when it has an address. */
function configuredProviders(config: Config): ConfiguredProviders {
  const { openaiApiKey, anthropicApiKey, googleApiKey, compatibleBaseUrl } = config
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
  }
}

/** How often a server looks whether another one has changed the stored providers. */
const providerRefreshMs = 2_000

export function createModels({ config, db, encryptionKey, logger }: AppDependencies) {
  const { defaultModel, embeddingModel, embeddingDimensions } = config
  const environment = configuredProviders(config)
  const models = new Models({
    providers: environment,
    embeddingModel,
    embeddingDimensions,
    defaultModel,
    quietMs: config.modelSeconds * 1000,
  })
  let onChange = () => {}
  const providers = new ProviderService({
    store: createProviderStore(db),
    box: new SecretBox(encryptionKey),
    models,
    environment,
    defaultModel,
    onChange: () => onChange(),
    onProblem: (provider, problem) => logger.error({ provider, problem }, 'a stored provider cannot be used'),
  })
  return { models, providers, whenChanged: (then: () => void) => (onChange = then) }
}

/** Reads the stored providers, and says what the environment asks of models that nobody has configured. */
export async function loadProviders(
  { config, logger }: AppDependencies,
  { models, providers }: Pick<ModelServices, 'models' | 'providers'>,
): Promise<void> {
  await providers.refresh()
  const { defaultModel, embeddingModel } = config
  if (defaultModel !== undefined && !models.isKnown(defaultModel)) {
    throw new ConfigError(`CAIRN_DEFAULT_MODEL: ${defaultModel} is no model that this server knows`)
  }
  const waiting = 'its provider is not configured; set it in the environment or on the console'
  if (defaultModel !== undefined && !models.exactly(defaultModel)) {
    logger.warn({ variable: 'CAIRN_DEFAULT_MODEL', model: defaultModel }, waiting)
  }
  if (embeddingModel !== undefined && !models.embedding) {
    logger.warn({ variable: 'CAIRN_EMBEDDING_MODEL', model: embeddingModel }, waiting)
  }
}

/** Looks for changes of other servers from the moment the server listens; answers how to stop. */
export function keepProviders(app: App, providers: ProviderService): () => Promise<void> {
  let hasFailed = false
  const run = async () => {
    try {
      await providers.refresh()
      hasFailed = false
    } catch (error) {
      // Said once: it is tried again every two seconds.
      if (!hasFailed) app.log.warn(error, 'the stored providers could not be read; those known go on')
      hasFailed = true
    }
  }
  return repeat(app, { everyMs: providerRefreshMs, atStart: false, run })
}
