import { limits } from '@cairn/contract'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { sql } from 'kysely'
import type { Config } from './config.ts'
import type { Db } from './db/index.ts'
import {
  type AccessService,
  accessRoutes,
  createSignInStore,
  SignIns,
  signInRoutes,
} from './domains/access/index.ts'
import {
  AnalyticsService,
  analyticsRoutes,
  createAnalyticsStore,
  createScoreListStore,
  ScoreList,
} from './domains/analytics/index.ts'
import {
  AnsweringService,
  answeringRoutes,
  createTurnStore,
  internalAnsweringRoutes,
  OwnAnswers,
  ownAnsweringRoutes,
} from './domains/answering/index.ts'
import {
  ApplicationService,
  applicationRoutes,
  createApplicationStore,
  createIssuerFetches,
  Identities,
  KeySets,
  profileRoutes,
} from './domains/applications/index.ts'
import { AuditService, auditRoutes, createAuditStore } from './domains/audit/index.ts'
import { ChatService, chatRoutes, chatSettingsRoutes, createChatStore } from './domains/chats/index.ts'
import { budgetRoutes, multiplierRoutes } from './domains/credits/index.ts'
import {
  CleanupService,
  createCleanupStore,
  createDocumentStore,
  createEditStore,
  createExtractionPool,
  createFileStore,
  DocumentReader,
  DocumentService,
  documentRoutes,
  documentSweeper,
  EditService,
  FileService,
  fileRoutes,
  internalRoutes,
  leaseMs,
  OwnFileService,
  ownFileRoutes,
  RunningUploads,
  relatingQueue,
  TextService,
} from './domains/documents/index.ts'
import {
  createEventStore,
  createWebhookStore,
  deliveryJobs,
  deliveryQueue,
  EventService,
  eventRoutes,
  ownEventRoutes,
  WebhookService,
  webhookRoutes,
} from './domains/events/index.ts'
import {
  createGraphStore,
  createOwnerStore,
  createRelationshipStore,
  GraphService,
  graphRoutes,
  RelationshipService,
  relationshipRoutes,
} from './domains/graph/index.ts'
import {
  BatchService,
  batchJobs,
  batchQueue,
  createBatchStore,
  createJudgingPool,
  judgingRoutes,
  RuleService,
  ruleJobs,
  ruleQueue,
  ruleRoutes,
} from './domains/judging/index.ts'
import { priceRoutes } from './domains/prices/index.ts'
import { providerRoutes } from './domains/providers/index.ts'
import { createRelatingPool, createRelatingStore, relatingJobs } from './domains/relating/index.ts'
import {
  createIndexingPool,
  createNeighbourStore,
  createRetrievalStore,
  createVectorStore,
  Embeddings,
  RetrievalService,
  vectorJobs,
  vectorQueue,
} from './domains/retrieval/index.ts'
import { createScopeStore, ScopeService, scopeRoutes } from './domains/scopes/index.ts'
import { createScorerStore, JudgeService, ScorerService, scorerRoutes } from './domains/scorers/index.ts'
import { scoreRoutes } from './domains/scores/index.ts'
import { createSessionStore, SessionService, sessionRoutes } from './domains/sessions/index.ts'
import {
  createResultStore,
  createRunStore,
  createSuiteStore,
  createTesting,
  runQueue,
  runRoutes,
  runsOfVersions,
  suiteRoutes,
} from './domains/testing/index.ts'
import { sweep, traceRoutes } from './domains/traces/index.ts'
import { usageRoutes } from './domains/usage/index.ts'
import { createVersionStore, VersionService, versionRoutes } from './domains/versions/index.ts'
import { registerAudit } from './http/audit.ts'
import { registerAuthorization } from './http/authorize.ts'
import { registerBodyParsers } from './http/body.ts'
import { clientErrorResponse, registerErrors, sendError } from './http/errors.ts'
import type { App } from './http/fastify.ts'
import { registerForms } from './http/form.ts'
import { healthRoutes } from './http/health.ts'
import { registerRequestLog } from './http/logging.ts'
import { registerOpenApi } from './http/openapi.ts'
import { OwnLimits, type RateLimits } from './http/rate-limit.ts'
import { Redis, redisProblem } from './http/redis.ts'
import { registerSecurityHeaders } from './http/security-headers.ts'
import { SharedLimits } from './http/shared-limits.ts'
import { registerStopping } from './http/stopping.ts'
import { validatorCompiler } from './http/validation.ts'
import { registerWeb } from './http/web.ts'
import { createJobStore, JobRunner } from './jobs/index.ts'
import { Gate } from './lib/gate.ts'
import { createGuardedFetch, outgoingPolicy } from './lib/guarded-fetch.ts'
import { SecretBox } from './lib/secret-box.ts'
import { createCredits, createModels, keepProviders, loadProviders } from './modelservices.ts'
import { createTraceServices } from './services.ts'

export interface AppDependencies {
  config: Config
  db: Db
  adminToken: string
  /** 32 bytes, for the secrets in the database. */
  encryptionKey: Buffer
  version: string
  logger: FastifyBaseLogger
}

const exposedHeaders = [
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Next-Cursor',
  'Link',
  'Content-Disposition',
]

/** Events with their webhooks, and the runner of background work that delivers them. */
function createEvents(dependencies: AppDependencies, access: AccessService) {
  const { config, db, encryptionKey, version, logger } = dependencies
  const store = createWebhookStore(db)
  const box = new SecretBox(encryptionKey)
  const urlRules = outgoingPolicy(config.allowInsecureIssuers)
  const { webhookRetrySeconds: retrySeconds } = config
  const fetch = createGuardedFetch(urlRules)
  const jobs = new JobRunner({
    store: createJobStore(db),
    leaseMs: config.jobLeaseSeconds * 1000,
    report: ({ error, ...job }) => logger.error({ err: error, ...job }, 'a job failed'),
  })
  jobs.handle({
    [deliveryQueue]: deliveryJobs({ store, box, fetch, retrySeconds, userAgent: `Cairn/${version}` }),
  })
  const wake = () => jobs.wake(deliveryQueue)
  const events = new EventService(createEventStore(db), access, wake)
  const webhooks = new WebhookService({ store, access, box, urlRules, wake })
  return { jobs, events, webhooks }
}

/** What reads and writes the documents of chats and their graph. */
function createKnowledge(
  { config, db }: AppDependencies,
  { access, events, embeddings }: { access: AccessService; events: EventService; embeddings: Embeddings },
) {
  const extraction = createExtractionPool({ timeoutMs: config.processingSeconds * 1000 })
  const reader = new DocumentReader(extraction, embeddings, config.processingSeconds * 1000)
  const scopes = new ScopeService(createScopeStore(db))
  const store = createDocumentStore(db)
  const uploads = new RunningUploads()
  const files = new FileService(createFileStore(db), events, uploads)
  const edits = new EditService(createEditStore(db), events)
  const graphStore = createGraphStore(db)
  const documents = new DocumentService({ store, reader, events, scopes, uploads })
  return {
    extraction,
    scopes,
    documents,
    ownFiles: new OwnFileService({ documents, files, scopes, maxFileBytes: config.maxFileBytes }),
    texts: new TextService({ store, reader, extraction, events, scopes }),
    files,
    cleanup: new CleanupService(createCleanupStore(db), events, access),
    graph: new GraphService({ store: graphStore, edits, files }),
    relationships: new RelationshipService(createRelationshipStore(db), graphStore),
    owners: createOwnerStore(db),
  }
}

/** Applications, and who their end users are. */
function createApplications(
  { config, db }: AppDependencies,
  { access, chats }: { access: AccessService; chats: ChatService },
) {
  const store = createApplicationStore(db)
  const { allowInsecureIssuers: allowHttp } = config
  const identities = new Identities(store, new KeySets({ fetches: createIssuerFetches(allowHttp) }))
  const onChange = () => identities.forgetApplications()
  return { identities, applications: new ApplicationService({ store, access, chats, allowHttp, onChange }) }
}

function createServices(dependencies: AppDependencies) {
  const { config, db, adminToken, logger } = dependencies
  const { access, prices, scores, rollups, traces, rules, activeRules } = createTraceServices({ config, db })
  const { models, providers, whenChanged } = createModels(dependencies)
  const embeddings = new Embeddings(models)
  const indexing = createIndexingPool()
  const relating = createRelatingPool()
  const judging = createJudgingPool()
  const searched = {
    store: createRetrievalStore(db),
    vectors: createVectorStore(db),
    pool: indexing,
    embeddings,
  }
  const { jobs, events, webhooks } = createEvents(dependencies, access)
  const chats = new ChatService(createChatStore(db), access, (name) => models.isKnown(name))
  const { applications, identities } = createApplications(dependencies, { access, chats })
  const { multipliers, budgets, meter, usage, catalogue } = createCredits(dependencies, {
    access,
    prices,
    events,
    chats,
    models,
    providers,
  })
  const scorerStore = createScorerStore(db)
  const scorers = new ScorerService(scorerStore, models)
  const judges = new JudgeService({
    store: scorerStore,
    models,
    traces,
    scores,
    pricing: (projectId) => prices.pricing(projectId),
    meter,
    usage,
  })
  const batchStore = createBatchStore(db)
  const batches = new BatchService(batchStore, judges, () => jobs.wake(batchQueue))
  const runStore = createRunStore(db)
  const versions = new VersionService(createVersionStore(db), rollups, events, {
    ofVersions: (projectId, a, b) => runsOfVersions(runStore, projectId, a, b),
  })
  const audit = new AuditService({
    store: createAuditStore(db),
    projectOf: {
      chat_id: (id) => chats.projectOf(id),
      key_id: (id) => access.projectOfKey(id),
      webhook_id: (id) => webhooks.projectOf(id),
      budget_id: (id) => budgets.projectOf(id),
      app_id: (id) => applications.projectOf(id),
    },
    secrets: [adminToken],
  })
  const analytics = new AnalyticsService(createAnalyticsStore(db), rollups, {
    maxExports: config.maxStreams,
    scanMs: config.scanSeconds * 1000,
  })
  const scoreList = new ScoreList(createScoreListStore(db), traces, config.scanSeconds * 1000)
  const sessions = new SessionService({
    store: createSessionStore(db),
    rollups,
    traces,
    scanMs: config.scanSeconds * 1000,
  })
  const knowledge = createKnowledge(dependencies, { access, events, embeddings })
  const { scopes } = knowledge
  const retrieval = new RetrievalService({
    ...searched,
    neighbours: createNeighbourStore(db),
    maxBytes: config.indexBytes,
    wake: () => jobs.wake(vectorQueue),
    onFailedEmbedding: (error) => logger.warn({ err: error }, 'a question could not be embedded'),
  })
  // Documents may want other vectors now.
  whenChanged(() => retrieval.forget())
  const answering = new AnsweringService({
    chats,
    scopes,
    retrieval,
    traces,
    meter,
    models,
    turns: createTurnStore(db),
    patienceMs: config.heartbeatSeconds * 1000,
  })
  const testing = createTesting({
    stores: { suites: createSuiteStore(db), runs: runStore, results: createResultStore(db) },
    box: new SecretBox(dependencies.encryptionKey),
    policy: outgoingPolicy(config.allowInsecureIssuers),
    userAgent: `Cairn/${dependencies.version}`,
    models,
    meter,
    judges,
    traces,
    chats,
    versions,
    answering,
    wake: () => jobs.wake(runQueue),
    wakeEvents: () => events.wake(),
    limits: {
      concurrency: config.runConcurrency,
      timeoutMs: config.caseSeconds * 1000,
      casesAtOnce: config.maxCases,
    },
  })
  const judged = { judges, traces, pool: judging, gate: new Gate(config.judgeConcurrency) }
  jobs.handle({
    [runQueue]: testing.queue,
    [batchQueue]: batchJobs({ ...judged, store: batchStore, scores }),
    [ruleQueue]: ruleJobs({ ...judged, store: rules }),
    [vectorQueue]: vectorJobs(searched),
    [relatingQueue]: relatingJobs({
      store: createRelatingStore(db),
      pool: relating,
      mode: config.relationships,
      model: () => models.chat(config.defaultModel ?? ''),
    }),
  })
  return {
    access,
    signIns: new SignIns(createSignInStore(db), adminToken),
    chats,
    applications,
    identities,
    audit,
    prices,
    scores,
    traces,
    analytics,
    scoreList,
    sessions,
    versions,
    testing,
    scorers,
    judges,
    batches,
    rules: new RuleService(rules, judges, activeRules),
    judging,
    ...knowledge,
    indexing,
    relating,
    models,
    providers,
    catalogue,
    multipliers,
    budgets,
    usage,
    answering,
    jobs,
    events,
    webhooks,
  }
}

/** Shared by all processes with the same Redis, where there is one. */
async function createRateLimits({
  config: { redisUrl },
  logger,
}: AppDependencies): Promise<{ rateLimits: RateLimits; redis?: Redis }> {
  if (!redisUrl) return { rateLimits: new OwnLimits() }
  const redis = await Redis.open(redisUrl, {
    onAway: (error) =>
      logger.warn(
        { problem: redisProblem(error) },
        'Redis does not answer; until it does, each process counts rate limits for itself',
      ),
    onBack: () => logger.info('Redis answers again; rate limits are shared'),
  })
  return { rateLimits: new SharedLimits(redis), redis }
}

function createFastify({ config, logger }: AppDependencies): App {
  return Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy,
    bodyLimit: config.maxJsonBytes,
    return503OnClosing: false,
    requestTimeout: limits.requestMs,
    // A request without Host is answered like any other: Node's own refusal has no body.
    http: { requireHostHeader: false },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 2048 },
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
    clientErrorHandler: (error, socket) => {
      if (socket.writable) socket.end(clientErrorResponse(error.code))
    },
  })
}

/** Share of the time for stopping after which answers under way are ended. */
const lastCall = 0.8

interface Sweep {
  everyMs: number
  /** Whether it is made at once, too. */
  atStart: boolean
  run: () => Promise<void>
}

function sweepsOf(
  app: App,
  { config, db }: AppDependencies,
  { access, traces, answering }: ReturnType<typeof createServices>,
): Sweep[] {
  const old = async () => {
    const deleted = await sweep({ projects: access, traces, others: [answering] })
    if (deleted > 0) app.log.info({ deleted }, 'deleted traces that were older than their project keeps them')
  }
  const abandoned = async () => {
    const documents = await documentSweeper(db).sweepAbandoned()
    if (documents > 0) app.log.info({ documents }, 'took out what was left of documents')
  }
  return [
    { everyMs: config.sweepSeconds * 1000, atStart: false, run: old },
    { everyMs: leaseMs, atStart: true, run: abandoned },
  ]
}

/** Sweeps from the moment the server listens; answers how to stop, which waits for a sweep under way. */
function startSweeping(app: App, { everyMs, atStart, run }: Sweep): () => Promise<void> {
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    running ??= run()
      .catch((error) => app.log.error(error, 'the sweep failed; the next one tries again'))
      .finally(() => {
        running = undefined
      })
  }
  app.addHook('onListen', async () => {
    if (atStart) begin()
    timer = setInterval(begin, everyMs)
    timer.unref()
  })
  return async () => {
    clearInterval(timer)
    await running
  }
}

/**
 * The whole application over an open, migrated database. Nothing listens yet: `serve` opens the socket, tests
 * and benchmarks may do so on a port of their own. Closing it finishes what was accepted; the database stays
 * the caller's.
 */
export async function buildApp(dependencies: AppDependencies): Promise<App> {
  const { config, db, adminToken, version } = dependencies
  const services = createServices(dependencies)
  await loadProviders(dependencies, services)
  const { rateLimits, redis } = await createRateLimits(dependencies)
  const app = createFastify(dependencies)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(() => JSON.stringify)
  registerErrors(app)
  registerSecurityHeaders(app)
  registerRequestLog(app)
  const isStopping = registerStopping(app)

  await app.register(cors, {
    origin: config.corsOrigins,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'X-App-ID', 'Content-Type', 'Idempotency-Key'],
    exposedHeaders,
  })
  registerBodyParsers(app)
  await app.register(multipart)
  await registerWeb(app)
  await registerOpenApi(app, version)
  registerAuthorization(app, {
    directory: {
      findKey: (token) => services.access.findKey(token),
      isSession: async (secret) => (await services.signIns.find(secret)).signed_in,
      projectExists: (projectId) => services.access.projectExists(projectId),
      findChat: (chatId) => services.chats.findAccess(chatId),
      findChatOf: (resource, id) => services.owners[resource](id),
      findApplication: async (appId) => {
        const application = await services.identities.findApplication(appId)
        return { recognise: (token) => services.identities.recognise(application, token) }
      },
    },
    rateLimits,
    userLimits: {
      query: config.queriesPerMinute,
      upload: config.uploadsPerMinute,
      bulk: config.bulkUploadsPerMinute,
    },
    adminToken,
    requestsPerSecond: config.requestsPerSecond,
    wrongKeysPerMinute: config.wrongKeysPerMinute,
    wrongAdminTokensPerMinute: config.wrongAdminTokensPerMinute,
  })
  registerForms(app)
  registerAudit(app, services.audit)

  healthRoutes(app, {
    version,
    isStopping,
    hasModels: () => services.models.hasChat,
    pingDatabase: () => sql`select 1`.execute(db.read),
    ...(redis && { redisAnswers: () => redis.answers() }),
  })
  accessRoutes(app, services.access)
  signInRoutes(app, services.signIns)
  chatRoutes(app, services.chats)
  chatSettingsRoutes(app, services.chats)
  applicationRoutes(app, services.applications)
  profileRoutes(app)
  auditRoutes(app, services.audit)
  priceRoutes(app, services.prices)
  providerRoutes(app, services.providers, services.catalogue)
  multiplierRoutes(app, services.multipliers)
  budgetRoutes(app, services.budgets)
  usageRoutes(app, services.usage)
  traceRoutes(app, services.traces)
  scoreRoutes(app, services.scores)
  analyticsRoutes(app, services, { stallMs: config.stallSeconds * 1000 })
  sessionRoutes(app, services.sessions)
  versionRoutes(app, services.versions)
  suiteRoutes(app, services.testing.suites)
  runRoutes(app, services.testing.runs, { stallMs: config.stallSeconds * 1000 })
  scorerRoutes(app, services.scorers, services.judges)
  judgingRoutes(app, services.batches)
  ruleRoutes(app, services.rules)
  scopeRoutes(app, services.scopes)
  documentRoutes(app, services.documents, { maxFileBytes: config.maxFileBytes })
  fileRoutes(app, services.files)
  ownFileRoutes(app, services.ownFiles, { maxFileBytes: config.maxFileBytes })
  internalRoutes(app, services, { maxFileBytes: config.maxFileBytes })
  const heartbeat = { heartbeatMs: config.heartbeatSeconds * 1000 }
  answeringRoutes(app, services.answering, heartbeat)
  internalAnsweringRoutes(app, services.answering, heartbeat)
  ownAnsweringRoutes(app, new OwnAnswers(services.answering), heartbeat)
  graphRoutes(app, services.graph)
  relationshipRoutes(app, services.relationships)
  eventRoutes(app, services.events)
  ownEventRoutes(app, services.events)
  webhookRoutes(app, services.webhooks)

  app.addHook('onListen', async () => services.jobs.start())

  const sweeps = sweepsOf(app, dependencies, services).map((each) => startSweeping(app, each))
  const stopRefreshing = keepProviders(app, services.providers)
  app.addHook('preClose', async () => {
    // Most answers end by themselves; for others there has to be time to tell their callers and to write them down.
    setTimeout(() => services.answering.stop(), config.shutdownSeconds * 1000 * lastCall).unref()
  })
  app.addHook('onClose', async () => {
    await services.jobs.stop()
    for (const stop of sweeps) await stop()
    await stopRefreshing()
    await services.answering.drain()
    await services.traces.drain()
    await services.extraction.close()
    await services.indexing.close()
    await services.relating.close()
    await services.judging.close()
    await services.testing.close()
    redis?.close()
  })
  return app
}
