import { resolve } from 'node:path'
import { limits } from '@cairn/contract'
import {
  adminToken,
  apiKey,
  embeddingModel,
  encryptionKey,
  flag,
  folder,
  host,
  integer,
  model,
  type NamedModel,
  namedModels,
  oneOf,
  origins,
  seconds,
  url,
} from './config/parse.ts'
import { parseTrustedProxies, type TrustedProxies } from './lib/trusted-proxies.ts'

/** An invalid value in the environment. The message names the variable and the expected value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

interface Variable<T> {
  name: string
  /** Description for the reference page. */
  doc: string
  fallback: T
  /** Replaces `fallback` in the reference if the bare value would not explain the default. */
  fallbackDoc?: string
  secret?: boolean
  /** The setting protects projects from each other; the server's page shows its value. */
  isLimit?: boolean
  /** Throws a plain Error that describes the expected value; the caller adds the name of the variable. */
  parse: (text: string) => T
}

/** Infers the type of one variable, so that the table can be an ordinary object. */
function variable<T>(definition: Variable<T>): Variable<T> {
  return definition
}

function keyVariable(name: string, doc: string) {
  return variable<string | undefined>({ name, doc, fallback: undefined, secret: true, parse: apiKey })
}

function urlVariable(name: string, doc: string) {
  return variable<string | undefined>({ name, doc, fallback: undefined, parse: url('http', 'https') })
}

function modelsVariable(name: string, doc: string) {
  return variable<NamedModel[]>({ name, doc, fallback: [], fallbackDoc: 'not set', parse: namedModels })
}

function providerVariables<P extends string>(provider: P, label: string) {
  const prefix = provider.toUpperCase()
  return {
    [`${provider}ApiKey`]: keyVariable(
      `${prefix}_API_KEY`,
      `API key of ${label}. With a key, the models of the provider can write answers.`,
    ),
    [`${provider}BaseUrl`]: urlVariable(
      `${prefix}_BASE_URL`,
      `Base URL of ${label}, or of a server with the same API.`,
    ),
    [`${provider}Models`]: modelsVariable(
      `${prefix}_MODELS`,
      `Additional models of ${label} that requests may name, comma-separated. \`name=id\` sends a different id to the provider. A built-in name on this list refers to this model.`,
    ),
  } as Record<`${P}ApiKey` | `${P}BaseUrl`, Variable<string | undefined>> &
    Record<`${P}Models`, Variable<NamedModel[]>>
}

/** Every variable that the server reads. The reference page and the checks use this table. */
export const variables = {
  host: variable({ name: 'HOST', doc: 'Address to listen on.', fallback: '127.0.0.1', parse: host }),
  port: variable({
    name: 'PORT',
    doc: 'Port to listen on; 0 selects a free port.',
    fallback: 8000,
    parse: integer(0, 65_535),
  }),
  dataDir: variable({
    name: 'CAIRN_DATA_DIR',
    doc: 'Folder of the embedded database and the generated admin token.',
    fallback: resolve(process.cwd(), 'data'),
    fallbackDoc: './data',
    parse: folder,
  }),
  adminToken: variable<string | undefined>({
    name: 'CAIRN_ADMIN_TOKEN',
    doc: 'Token of the console API, at least 16 characters. If not set, the server creates one at the first start and stores it in the data folder.',
    fallback: undefined,
    fallbackDoc: 'generated',
    secret: true,
    parse: adminToken,
  }),
  encryptionKey: variable<Buffer | undefined>({
    name: 'CAIRN_ENCRYPTION_KEY',
    doc: 'Key that encrypts stored secrets: 32 bytes, base64 or hexadecimal. If not set, the server creates one at the first start and stores it in the data folder. Servers that share a database need the same key.',
    fallback: undefined,
    fallbackDoc: 'generated',
    secret: true,
    parse: encryptionKey,
  }),
  databaseUrl: variable<string | undefined>({
    name: 'DATABASE_URL',
    doc: 'PostgreSQL database that replaces the embedded SQLite database, as postgres://user:password@host/database.',
    fallback: undefined,
    fallbackDoc: 'embedded SQLite',
    secret: true,
    parse: url('postgres', 'postgresql'),
  }),
  redisUrl: variable<string | undefined>({
    name: 'REDIS_URL',
    doc: 'Redis for rate limits that all processes share, as redis://user:password@host:port/database, or rediss:// for TLS. Without Redis, or while it does not respond, each process counts by itself.',
    fallback: undefined,
    secret: true,
    parse: url('redis', 'rediss'),
  }),
  logLevel: variable({
    name: 'CAIRN_LOG_LEVEL',
    doc: 'Minimum level of the structured log on standard output.',
    fallback: 'info' as const,
    parse: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  }) as Variable<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'>,
  corsOrigins: variable<'*' | string[]>({
    name: 'CAIRN_CORS_ORIGINS',
    doc: 'Browser origins that may call the API with a bearer token: * or a comma-separated list. Never with cookies.',
    fallback: '*',
    parse: origins,
  }),
  trustedProxies: variable<TrustedProxies | undefined>({
    name: 'CAIRN_TRUST_PROXY',
    doc: 'Trusted proxies: X-Forwarded-For, -Proto and -Host are used only if they come from these. Either the number of proxies in front of the server, such as `1`, or their addresses and networks, comma-separated, such as `loopback, 10.0.0.0/8` (`linklocal` and `uniquelocal` also work). The client is the farthest address that a trusted proxy reports. Limits on wrong credentials and the audit log use this address. `true` means `1`.',
    fallback: undefined,
    fallbackDoc: '`false`: none',
    parse: parseTrustedProxies,
  }),
  requestsPerSecond: variable({
    name: 'CAIRN_REQUESTS_PER_SECOND',
    doc: 'Requests per second and key over all endpoints, including bursts; 0 disables the limit.',
    isLimit: true,
    fallback: limits.requestsPerSecondPerKey as number,
    parse: integer(0, 1_000_000),
  }),
  wrongAdminTokensPerMinute: variable({
    name: 'CAIRN_WRONG_ADMIN_TOKENS_PER_MINUTE',
    doc: 'Requests with a wrong admin token that one address may send in a minute; further ones get 429.',
    isLimit: true,
    fallback: limits.wrongAdminTokensPerMinute as number,
    parse: integer(1, 1_000_000),
  }),
  wrongKeysPerMinute: variable({
    name: 'CAIRN_WRONG_KEYS_PER_MINUTE',
    doc: 'Requests with a wrong API key or user token that one address may send in a minute; further ones get 429.',
    isLimit: true,
    fallback: limits.wrongKeysPerMinute as number,
    parse: integer(1, 1_000_000),
  }),
  queriesPerMinute: variable({
    name: 'CAIRN_QUERIES_PER_MINUTE',
    doc: 'Questions that one user of an application may ask in a minute.',
    isLimit: true,
    fallback: limits.queriesPerMinutePerUser as number,
    parse: integer(1, 1_000_000),
  }),
  uploadsPerMinute: variable({
    name: 'CAIRN_UPLOADS_PER_MINUTE',
    doc: 'Uploads that one user of an application may send in a minute.',
    isLimit: true,
    fallback: limits.uploadsPerMinutePerUser as number,
    parse: integer(1, 1_000_000),
  }),
  bulkUploadsPerMinute: variable({
    name: 'CAIRN_BULK_UPLOADS_PER_MINUTE',
    doc: 'Uploads of several files at once that one user of an application may send in a minute.',
    isLimit: true,
    fallback: limits.bulkUploadsPerMinutePerUser as number,
    parse: integer(1, 1_000_000),
  }),
  maxJsonBytes: variable({
    name: 'CAIRN_MAX_JSON_BYTES',
    doc: 'Maximum size of a JSON body.',
    isLimit: true,
    fallback: limits.jsonBodyBytes as number,
    parse: integer(1024, 1024 ** 3),
  }),
  maxJsonDepth: variable({
    name: 'CAIRN_MAX_JSON_DEPTH',
    doc: 'Nesting depth of objects and lists in a JSON body. A deeper body gets 400. In a batch, only the item gets an error, and the other items are stored.',
    isLimit: true,
    fallback: limits.jsonDepth as number,
    parse: integer(10, 4000),
  }),
  maxJsonFields: variable({
    name: 'CAIRN_MAX_JSON_FIELDS',
    doc: 'Fields that one object of a JSON body may have. A body with more gets 400. In a batch, only the item gets an error, and the other items are stored.',
    isLimit: true,
    fallback: limits.jsonFields as number,
    parse: integer(100, 10_000_000),
  }),
  maxJsonValues: variable({
    name: 'CAIRN_MAX_JSON_VALUES',
    doc: 'Values that a JSON body may contain (texts, numbers, booleans, nulls, objects and lists); in a batch, the limit applies to each item. A body with more gets 400; an item with more gets an error, and the other items are stored.',
    isLimit: true,
    fallback: limits.jsonValues as number,
    parse: integer(1000, 100_000_000),
  }),
  maxBatchValues: variable({
    name: 'CAIRN_MAX_BATCH_VALUES',
    doc: 'Values that the JSON of a whole batch of traces may contain. A batch with more gets 400.',
    isLimit: true,
    fallback: limits.batchValues as number,
    parse: integer(1000, 100_000_000),
  }),
  maxBatchLabels: variable({
    name: 'CAIRN_MAX_BATCH_LABELS',
    doc: 'Tags and custom attributes that all traces of one batch may have together. A batch with more gets 400.',
    isLimit: true,
    fallback: limits.batchLabels as number,
    parse: integer(1000, 10_000_000),
  }),
  maxBodyBytesUnderWay: variable({
    name: 'CAIRN_MAX_BODY_BYTES_UNDER_WAY',
    doc: 'Bytes of large request bodies in progress at the same time. One project may use half of them. Above the limit, requests get 503 with Retry-After.',
    isLimit: true,
    fallback: 64 * 1024 * 1024,
    parse: integer(1024, 16 * 1024 ** 3),
  }),
  maxFileBytes: variable({
    name: 'CAIRN_MAX_FILE_BYTES',
    doc: 'Maximum size of an uploaded file.',
    isLimit: true,
    fallback: limits.fileBytes as number,
    parse: integer(1024, 1024 ** 3),
  }),
  processingSeconds: variable({
    name: 'CAIRN_PROCESSING_SECONDS',
    doc: 'Time limit for processing a file.',
    isLimit: true,
    fallback: limits.processingMs / 1000,
    parse: integer(1, 3600),
  }),
  extractions: variable({
    name: 'CAIRN_EXTRACTIONS',
    doc: 'Files that are extracted at the same time, each in its own process. A third of the places, and at least one, is for files that take longer than two seconds.',
    isLimit: true,
    fallback: 3,
    parse: integer(2, 64),
  }),
  extractionBytes: variable({
    name: 'CAIRN_EXTRACTION_BYTES',
    doc: 'Memory limit of a process that extracts a file. A file that needs more is rejected.',
    isLimit: true,
    fallback: 256 * 1024 * 1024,
    parse: integer(96 * 1024 ** 2, 16 * 1024 ** 3),
  }),
  maxTextBytes: variable({
    name: 'CAIRN_MAX_TEXT_BYTES',
    doc: 'Maximum size of the text that is extracted from a file, in UTF-8.',
    isLimit: true,
    fallback: 8 * 1024 * 1024,
    parse: integer(1024, 1024 ** 3),
  }),
  maxWaitingFiles: variable({
    name: 'CAIRN_MAX_WAITING_FILES',
    doc: 'Files of a project, or of one of its end users, that may wait for extraction. Above the limit, uploads get 429 with Retry-After. All end users of a project together may have four times as many.',
    isLimit: true,
    fallback: 200,
    parse: integer(1, 10_000),
  }),
  maxWaitingFileBytes: variable({
    name: 'CAIRN_MAX_WAITING_FILE_BYTES',
    doc: 'Bytes of the files of a project that may wait or be extracted at the same time. Above the limit, uploads get 429 with Retry-After.',
    isLimit: true,
    fallback: 64 * 1024 * 1024,
    parse: integer(1024, 16 * 1024 ** 3),
  }),
  maxQueuedTraces: variable({
    name: 'CAIRN_MAX_QUEUED_TRACES',
    doc: 'Traces that may wait to be written. One project may use half of the queue. Above the limit, requests get 503 with Retry-After.',
    isLimit: true,
    fallback: 50_000,
    parse: integer(1, 10_000_000),
  }),
  maxQueuedBytes: variable({
    name: 'CAIRN_MAX_QUEUED_BYTES',
    doc: 'Bytes of traces that may wait to be written. One project may use half of them.',
    isLimit: true,
    fallback: 128 * 1024 * 1024,
    parse: integer(1024, 16 * 1024 ** 3),
  }),
  indexBytes: variable({
    name: 'CAIRN_INDEX_BYTES',
    doc: 'Memory for the search indexes of chats. When it is full, a project with more than an equal share loses its least recently used index.',
    isLimit: true,
    fallback: 512 * 1024 * 1024,
    parse: integer(1024, 1024 ** 4),
  }),
  memoryBytes: variable<number | undefined>({
    name: 'CAIRN_MEMORY_BYTES',
    doc: 'Above this resident memory of the server, heavy requests (uploads, exports, searches, graphs, bodies from 1 MB) of a project run one at a time, and further ones get 503 with Retry-After. Light requests continue.',
    isLimit: true,
    fallback: undefined,
    fallbackDoc:
      '384 MiB more than CAIRN_INDEX_BYTES, at most 80 % of the memory of the machine or container',
    parse: integer(1024, 1024 ** 4),
  }),
  readerThreads: variable({
    name: 'CAIRN_READER_THREADS',
    doc: 'Threads that read the embedded database.',
    fallback: 1,
    parse: integer(1, 16),
  }),
  poolSize: variable({
    name: 'CAIRN_POSTGRES_POOL',
    doc: 'Connections to PostgreSQL.',
    fallback: 10,
    parse: integer(2, 1000),
  }),
  maxStreams: variable({
    name: 'CAIRN_MAX_EXPORTS',
    doc: 'Exports that may run at the same time. One project may use half of them. Above the limit, requests get 503 with Retry-After.',
    isLimit: true,
    fallback: 8,
    parse: integer(1, 1000),
  }),
  exportSeconds: variable({
    name: 'CAIRN_EXPORT_SECONDS',
    doc: 'Time limit of an export.',
    isLimit: true,
    fallback: 3600,
    parse: integer(1, 86_400),
  }),
  stallSeconds: variable({
    name: 'CAIRN_STALL_SECONDS',
    doc: 'Time in which a client must read at least 64 KB of a waiting response. Otherwise the server closes the connection.',
    isLimit: true,
    fallback: 60,
    parse: integer(1, 3600),
  }),
  scanSeconds: variable({
    name: 'CAIRN_SCAN_SECONDS',
    doc: 'Time limit for filters without an index, in one request. Waiting for a turn does not count. Above the limit, the request gets 400 with the advice to narrow the period.',
    isLimit: true,
    fallback: 5,
    parse: integer(1, 3600),
  }),
  maxScans: variable({
    name: 'CAIRN_MAX_SCANS',
    doc: 'Scans (filters without an index) that run at the same time: threads of low priority on SQLite, connections on PostgreSQL. One project may use all but one of them.',
    isLimit: true,
    fallback: 2,
    parse: integer(1, 100),
  }),
  maxWaitingScans: variable({
    name: 'CAIRN_MAX_WAITING_SCANS',
    doc: 'Requests of a project that may wait for a scan. Above the limit, requests get 429 with Retry-After.',
    isLimit: true,
    fallback: 32,
    parse: integer(1, 10_000),
  }),
  sweepSeconds: variable({
    name: 'CAIRN_SWEEP_SECONDS',
    doc: 'Time between two sweeps. A sweep deletes traces that are older than the retention period of their project.',
    fallback: 3600,
    parse: integer(1, 86_400),
  }),
  shutdownSeconds: variable({
    name: 'CAIRN_SHUTDOWN_SECONDS',
    doc: 'Time that running requests have to finish after SIGTERM.',
    fallback: 25,
    parse: integer(1, 3600),
  }),
  supervisor: variable({
    name: 'CAIRN_SUPERVISOR',
    doc: '`off` runs `cairn serve` without the supervisor process, which restarts the server after a crash. Use it with service managers and containers, which restart processes themselves.',
    fallback: 'on' as const,
    parse: oneOf('on', 'off'),
  }) as Variable<'on' | 'off'>,
  webhookRetrySeconds: variable<number[]>({
    name: 'CAIRN_WEBHOOK_RETRY_SECONDS',
    doc: 'Seconds between the tries of a webhook delivery, comma-separated. After the last try, the delivery has failed. Each wait varies by up to a tenth.',
    fallback: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
    parse: seconds,
  }),
  allowInsecureIssuers: variable({
    name: 'CAIRN_ALLOW_INSECURE_ISSUERS',
    doc: 'Development only: lets the server call http and private addresses that users configure.',
    fallback: false,
    parse: flag,
  }),
  ...providerVariables('openai', 'OpenAI'),
  ...providerVariables('anthropic', 'Anthropic'),
  ...providerVariables('google', 'Google'),
  compatibleBaseUrl: urlVariable(
    'COMPATIBLE_BASE_URL',
    "Base URL of a server with OpenAI's API (Ollama, vLLM, LM Studio), such as http://localhost:11434/v1.",
  ),
  compatibleApiKey: keyVariable('COMPATIBLE_API_KEY', 'API key of that server, if it needs one.'),
  compatibleModels: modelsVariable(
    'COMPATIBLE_MODELS',
    'Models of that server that requests may name, comma-separated, each a name or `name=id`.',
  ),
  defaultModel: variable<string | undefined>({
    name: 'CAIRN_DEFAULT_MODEL',
    doc: 'Model that answers if the requested model has no provider, or if its provider fails.',
    fallback: undefined,
    fallbackDoc: 'gpt-4o-mini, or the first model of the first configured provider',
    parse: model,
  }),
  embeddingModel: variable<string | undefined>({
    name: 'CAIRN_EMBEDDING_MODEL',
    doc: 'Model that embeds documents and questions, such as openai/text-embedding-3-small. Its provider is openai, google or compatible, configured here or on the console. Without it, no embedding model is used.',
    fallback: undefined,
    parse: embeddingModel,
  }),
  embeddingDimensions: variable<number | undefined>({
    name: 'CAIRN_EMBEDDING_DIMENSIONS',
    doc: 'Requested length of the vectors, for embedding models that support it.',
    fallback: undefined,
    fallbackDoc: "the model's own",
    parse: integer(1, 8192),
  }),
  relationships: variable({
    name: 'CAIRN_RELATIONSHIPS',
    doc: 'How relationships between the passages of a document are found. `local`: rules of the server. `model`: the default model, if a provider is configured; every document is sent to it and paid for. `off`: not at all.',
    fallback: 'local' as const,
    parse: oneOf('local', 'model', 'off'),
  }) as Variable<'local' | 'model' | 'off'>,
  modelSeconds: variable({
    name: 'CAIRN_MODEL_SECONDS',
    doc: 'Time without output after which a call to a model has failed, before the first word and between two words.',
    isLimit: true,
    fallback: 60,
    // After 300 seconds Node itself closes the connection.
    parse: integer(1, 300),
  }),
  maxModelAnswers: variable({
    name: 'CAIRN_MAX_MODEL_ANSWERS',
    doc: 'Answers by models that may be in progress at the same time for one project. One end user, and the keys of the project together, may each use three quarters of them. All projects together may have four times as many. As many answers again may wait for each; further requests get 429 with Retry-After.',
    isLimit: true,
    fallback: 64,
    parse: integer(1, 10_000),
  }),
  jobLeaseSeconds: variable({
    name: 'CAIRN_JOB_LEASE_SECONDS',
    doc: 'Lease of background work. If a server dies, another one (or the same one) continues its work after this time.',
    fallback: 20,
    parse: integer(1, 3600),
  }),
  judgeConcurrency: variable({
    name: 'CAIRN_JUDGE_CONCURRENCY',
    doc: 'Calls to models that scoring batches and rules of one project make at the same time. All projects together make at most twice as many.',
    isLimit: true,
    fallback: 4,
    parse: integer(1, 100),
  }),
  runConcurrency: variable({
    name: 'CAIRN_RUN_CONCURRENCY',
    doc: 'Cases of a test run that are processed at the same time, unless the run sets another number.',
    isLimit: true,
    fallback: 4,
    parse: integer(1, limits.runConcurrency),
  }),
  maxCases: variable({
    name: 'CAIRN_MAX_CASES',
    doc: 'Cases of all test runs that one server process handles at the same time. One project may use three quarters of the places.',
    isLimit: true,
    fallback: 16,
    parse: integer(1, 1000),
  }),
  caseSeconds: variable({
    name: 'CAIRN_CASE_SECONDS',
    doc: 'Time limit of the target of a test run for one case, unless the run sets another limit.',
    isLimit: true,
    fallback: 60,
    parse: integer(1, limits.caseMs / 1000),
  }),
  heartbeatSeconds: variable({
    name: 'CAIRN_HEARTBEAT_SECONDS',
    doc: 'Time without an event after which a streamed answer sends a comment, so that proxies keep the connection open.',
    fallback: 15,
    parse: integer(1, 3600),
  }),
}

type Variables = typeof variables
export type Config = { readonly [K in keyof Variables]: Variables[K] extends Variable<infer T> ? T : never }

/** The key of a variable with a numeric value. */
type NumberKey = { [K in keyof Config]: Config[K] extends number ? K : never }[keyof Config] | 'memoryBytes'

export interface Limit {
  key: NumberKey
  name: string
  doc: string
}

/** The settings that protect projects from each other. */
export const limitSettings: readonly Limit[] = Object.entries<Variable<unknown>>(variables)
  .filter(([, { isLimit }]) => isLimit)
  .map(([key, { name, doc }]) => ({ key: key as NumberKey, name, doc }))

/** The value of one variable. An empty string counts as not set, because shells and compose files pass it on. */
function read<T>({ name, fallback, parse }: Variable<T>, environment: NodeJS.ProcessEnv): T {
  const text = environment[name]?.trim()
  if (!text) return fallback
  try {
    return parse(text)
  } catch (error) {
    throw new ConfigError(`${name} ${error instanceof Error ? error.message : 'is not valid'}`)
  }
}

/**
 * Unknown variables with our prefix: a typing error, or a variable of a client. They cause a warning and not an error,
 * because clients share the prefix.
 */
export function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const known = new Set(Object.values(variables).map((definition) => definition.name))
  return Object.keys(environment).filter((name) => name.startsWith('CAIRN_') && !known.has(name))
}

/** Checks that the values of several variables fit together. */
function checkProviders(config: Config): void {
  if (config.compatibleModels.length > 0 && !config.compatibleBaseUrl) {
    throw new ConfigError('COMPATIBLE_MODELS needs COMPATIBLE_BASE_URL')
  }
}

/** Parses the environment once. Throws ConfigError for an invalid value. */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const entries = Object.entries(variables).map(([key, definition]) => [
    key,
    read(definition as Variable<unknown>, environment),
  ])
  const config = Object.freeze(Object.fromEntries(entries)) as Config
  checkProviders(config)
  return config
}
