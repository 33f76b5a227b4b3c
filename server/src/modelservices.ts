import type { FastifyBaseLogger } from 'fastify'
import { type Config, ConfigError } from './config.ts'
import type { Db } from './db/index.ts'
import type { AccessService } from './domains/access/index.ts'
import type { ChatService } from './domains/chats/index.ts'
import {
  BudgetService,
  createBudgetStore,
  createMultiplierStore,
  createReservationStore,
  Meter,
  MultiplierService,
} from './domains/credits/index.ts'
import type { EventService } from './domains/events/index.ts'
import type { PriceService } from './domains/prices/index.ts'
import { createProviderStore, ModelService, ProviderService } from './domains/providers/index.ts'
import { createUsageStore, UsageService } from './domains/usage/index.ts'
import type { App } from './http/fastify.ts'
import { SecretBox } from './lib/secret-box.ts'
import { type ConfiguredProviders, Models } from './models/models.ts'

interface Dependencies {
  config: Config
  db: Db
  encryptionKey: Buffer
  logger: FastifyBaseLogger
}

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

export function createModels({ config, db, encryptionKey, logger }: Dependencies) {
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
  { config, logger }: Dependencies,
  { models, providers }: Pick<ReturnType<typeof createModels>, 'models' | 'providers'>,
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
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
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
    running = undefined
  }
  app.addHook('onListen', async () => {
    timer = setInterval(() => {
      running ??= run()
    }, providerRefreshMs)
    timer.unref()
  })
  return async () => {
    clearInterval(timer)
    await running
  }
}

interface CreditNeeds {
  access: AccessService
  prices: PriceService
  events: EventService
  chats: ChatService
  models: Models
  providers: ProviderService
}

/** Credits of models, budgets, what was used, and the list of models that says what each costs. */
export function createCredits(
  { db, logger }: Dependencies,
  { access, prices, events, chats, ...known }: CreditNeeds,
) {
  const multipliers = new MultiplierService(createMultiplierStore(db))
  const budgets = new BudgetService({
    store: createBudgetStore(db),
    access,
    projectOfChat: (id) => chats.projectOf(id),
  })
  const meter = new Meter({
    multipliers,
    budgets,
    reservations: createReservationStore(db),
    pricing: (projectId) => prices.pricing(projectId),
    wake: () => events.wake(),
    onFailure: (error) => logger.warn({ err: error }, 'reservations of budgets could not be renewed'),
  })
  const catalogue = new ModelService({ ...known, multipliers: () => multipliers.current() })
  return { multipliers, budgets, meter, catalogue, usage: new UsageService(createUsageStore(db)) }
}
