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

/** A value of the environment that makes no sense. The message names the variable and says what would do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

interface Variable<T> {
  name: string
  /** For the reference; what the server does without it is in `fallback`. */
  doc: string
  fallback: T
  /** Shown in the reference where the fallback alone would not tell. */
  fallbackDoc?: string
  secret?: boolean
  /** It keeps one project from slowing down others; the server's page shows it with its value. */
  isLimit?: boolean
  /** Throws a plain Error that says what is expected; the variable's name is added outside. */
  parse: (text: string) => T
}

/** Keeps the type of one variable while the table stays an ordinary object. */
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
      `Key of ${label}; with it answers may come from its models.`,
    ),
    [`${provider}BaseUrl`]: urlVariable(
      `${prefix}_BASE_URL`,
      `Base URL of ${label}, or of a server that speaks its API.`,
    ),
    [`${provider}Models`]: modelsVariable(
      `${prefix}_MODELS`,
      `Further models of ${label} that requests may name, comma-separated. \`name=id\` sends another id to the provider; a name that is built in then means that model.`,
    ),
  } as Record<`${P}ApiKey` | `${P}BaseUrl`, Variable<string | undefined>> &
    Record<`${P}Models`, Variable<NamedModel[]>>
}

/** Every variable the server reads; the reference page and the checks are made from this table. */
export const variables = {
  host: variable({ name: 'HOST', doc: 'Address to listen on.', fallback: '127.0.0.1', parse: host }),
  port: variable({
    name: 'PORT',
    doc: 'Port to listen on; 0 takes a free one.',
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
    doc: 'Token of the console API, at least 16 characters. Without it one is made at first start and kept in the data folder.',
    fallback: undefined,
    fallbackDoc: 'generated',
    secret: true,
    parse: adminToken,
  }),
  encryptionKey: variable<Buffer | undefined>({
    name: 'CAIRN_ENCRYPTION_KEY',
    doc: 'Key under which secrets of webhooks are stored: 32 bytes, base64 or hexadecimal. Without it one is made at first start and kept in the data folder. Servers that share a database need the same.',
    fallback: undefined,
    fallbackDoc: 'generated',
    secret: true,
    parse: encryptionKey,
  }),
  databaseUrl: variable<string | undefined>({
    name: 'DATABASE_URL',
    doc: 'PostgreSQL to use instead of the embedded SQLite database, as postgres://user:password@host/database.',
    fallback: undefined,
    fallbackDoc: 'embedded SQLite',
    secret: true,
    parse: url('postgres', 'postgresql'),
  }),
  redisUrl: variable<string | undefined>({
    name: 'REDIS_URL',
    doc: 'Redis for rate limits that all processes share, as redis://user:password@host:port/database, or rediss:// with TLS. Without it, or while it does not answer, each process counts for itself.',
    fallback: undefined,
    secret: true,
    parse: url('redis', 'rediss'),
  }),
  logLevel: variable({
    name: 'CAIRN_LOG_LEVEL',
    doc: 'Least level of the structured log on standard output.',
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
    doc: 'Proxies whose X-Forwarded-For, -Proto and -Host are believed: how many stand in front, as `1`, or their addresses and networks, comma-separated, as `loopback, 10.0.0.0/8` (`linklocal` and `uniquelocal` are known, too). The client is the farthest address that they vouch for; limits on wrong credentials and the audit log name it. `true` means `1`.',
    fallback: undefined,
    fallbackDoc: '`false`: none',
    parse: parseTrustedProxies,
  }),
  requestsPerSecond: variable({
    name: 'CAIRN_REQUESTS_PER_SECOND',
    doc: 'Requests per second and key over all endpoints, burst included; 0 switches the limit off.',
    isLimit: true,
    fallback: limits.requestsPerSecondPerKey as number,
    parse: integer(0, 1_000_000),
  }),
  wrongAdminTokensPerMinute: variable({
    name: 'CAIRN_WRONG_ADMIN_TOKENS_PER_MINUTE',
    doc: 'Wrong admin tokens from one address in a minute before it gets 429.',
    isLimit: true,
    fallback: limits.wrongAdminTokensPerMinute as number,
    parse: integer(1, 1_000_000),
  }),
  wrongKeysPerMinute: variable({
    name: 'CAIRN_WRONG_KEYS_PER_MINUTE',
    doc: 'Wrong API keys and user tokens from one address in a minute before it gets 429.',
    isLimit: true,
    fallback: limits.wrongKeysPerMinute as number,
    parse: integer(1, 1_000_000),
  }),
  queriesPerMinute: variable({
    name: 'CAIRN_QUERIES_PER_MINUTE',
    doc: "Questions of an application's user in a minute.",
    isLimit: true,
    fallback: limits.queriesPerMinutePerUser as number,
    parse: integer(1, 1_000_000),
  }),
  uploadsPerMinute: variable({
    name: 'CAIRN_UPLOADS_PER_MINUTE',
    doc: "Uploads of an application's user in a minute.",
    isLimit: true,
    fallback: limits.uploadsPerMinutePerUser as number,
    parse: integer(1, 1_000_000),
  }),
  bulkUploadsPerMinute: variable({
    name: 'CAIRN_BULK_UPLOADS_PER_MINUTE',
    doc: "Uploads of several files at once of an application's user in a minute.",
    isLimit: true,
    fallback: limits.bulkUploadsPerMinutePerUser as number,
    parse: integer(1, 1_000_000),
  }),
  maxJsonBytes: variable({
    name: 'CAIRN_MAX_JSON_BYTES',
    doc: 'Largest JSON body.',
    isLimit: true,
    fallback: limits.jsonBodyBytes as number,
    parse: integer(1024, 1024 ** 3),
  }),
  maxJsonDepth: variable({
    name: 'CAIRN_MAX_JSON_DEPTH',
    doc: 'Objects and lists of a JSON body that may be inside of one another. Past it the answer is 400; a batch item gets an error, and the others are stored.',
    isLimit: true,
    fallback: limits.jsonDepth as number,
    parse: integer(10, 4000),
  }),
  maxJsonFields: variable({
    name: 'CAIRN_MAX_JSON_FIELDS',
    doc: 'Fields that one object of a JSON body may have. Past it the answer is 400; a batch item gets an error, and the others are stored.',
    isLimit: true,
    fallback: limits.jsonFields as number,
    parse: integer(100, 10_000_000),
  }),
  maxJsonValues: variable({
    name: 'CAIRN_MAX_JSON_VALUES',
    doc: 'Values that a JSON body may have (texts, numbers, booleans, nulls, objects and lists); of a batch each of its items. Past it the answer is 400; a batch item gets an error, and the others are stored.',
    isLimit: true,
    fallback: limits.jsonValues as number,
    parse: integer(1000, 100_000_000),
  }),
  maxBatchValues: variable({
    name: 'CAIRN_MAX_BATCH_VALUES',
    doc: 'Values that the JSON of a whole batch of traces may have; past it the answer is 400.',
    isLimit: true,
    fallback: limits.batchValues as number,
    parse: integer(1000, 100_000_000),
  }),
  maxBatchLabels: variable({
    name: 'CAIRN_MAX_BATCH_LABELS',
    doc: 'Tags and custom attributes that the traces of one batch may have together; past it the answer is 400.',
    isLimit: true,
    fallback: limits.batchLabels as number,
    parse: integer(1000, 10_000_000),
  }),
  maxBodyBytesUnderWay: variable({
    name: 'CAIRN_MAX_BODY_BYTES_UNDER_WAY',
    doc: 'Bytes of large request bodies that may be under way at the same time, half of it for one project; above it the answer is 503 with Retry-After.',
    isLimit: true,
    fallback: 64 * 1024 * 1024,
    parse: integer(1024, 16 * 1024 ** 3),
  }),
  maxFileBytes: variable({
    name: 'CAIRN_MAX_FILE_BYTES',
    doc: 'Largest uploaded file.',
    isLimit: true,
    fallback: limits.fileBytes as number,
    parse: integer(1024, 1024 ** 3),
  }),
  processingSeconds: variable({
    name: 'CAIRN_PROCESSING_SECONDS',
    doc: 'Time after which the processing of a file is stopped.',
    isLimit: true,
    fallback: limits.processingMs / 1000,
    parse: integer(1, 3600),
  }),
  extractions: variable({
    name: 'CAIRN_EXTRACTIONS',
    doc: 'Files that are read at the same time, each by a process of its own. A third of the places, and at least one, is for files that take longer than two seconds.',
    isLimit: true,
    fallback: 3,
    parse: integer(2, 64),
  }),
  extractionBytes: variable({
    name: 'CAIRN_EXTRACTION_BYTES',
    doc: 'Memory of a process that reads a file; a file that takes more is refused.',
    isLimit: true,
    fallback: 256 * 1024 * 1024,
    parse: integer(96 * 1024 ** 2, 16 * 1024 ** 3),
  }),
  maxTextBytes: variable({
    name: 'CAIRN_MAX_TEXT_BYTES',
    doc: 'Most text, in UTF-8, that is taken out of a file.',
    isLimit: true,
    fallback: 8 * 1024 * 1024,
    parse: integer(1024, 1024 ** 3),
  }),
  maxWaitingFiles: variable({
    name: 'CAIRN_MAX_WAITING_FILES',
    doc: 'Files of a project, or of one of its end users, that may wait to be read; above it the answer is 429 with Retry-After. All users of a project together may have four times as many.',
    isLimit: true,
    fallback: 200,
    parse: integer(1, 10_000),
  }),
  maxWaitingFileBytes: variable({
    name: 'CAIRN_MAX_WAITING_FILE_BYTES',
    doc: 'Bytes of the files of a project that may wait or be read at the same time; above it the answer is 429 with Retry-After.',
    isLimit: true,
    fallback: 64 * 1024 * 1024,
    parse: integer(1024, 16 * 1024 ** 3),
  }),
  maxQueuedTraces: variable({
    name: 'CAIRN_MAX_QUEUED_TRACES',
    doc: 'Traces that may wait to be written, half of them of one project; above it the answer is 503 with Retry-After.',
    isLimit: true,
    fallback: 50_000,
    parse: integer(1, 10_000_000),
  }),
  maxQueuedBytes: variable({
    name: 'CAIRN_MAX_QUEUED_BYTES',
    doc: 'Bytes of traces that may wait to be written, half of them of one project.',
    isLimit: true,
    fallback: 128 * 1024 * 1024,
    parse: integer(1024, 16 * 1024 ** 3),
  }),
  indexBytes: variable({
    name: 'CAIRN_INDEX_BYTES',
    doc: 'Memory for the search indexes of chats. When it is full, a project that has more than an equal share loses the index that it used least recently.',
    isLimit: true,
    fallback: 512 * 1024 * 1024,
    parse: integer(1024, 1024 ** 4),
  }),
  memoryBytes: variable<number | undefined>({
    name: 'CAIRN_MEMORY_BYTES',
    doc: 'Resident memory of the server past which heavy requests (uploads, exports, searches, graphs, bodies from 1 MB) of a project run one at a time; more get 503 with Retry-After. Light requests go on.',
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
    doc: 'Exports that may run at once, of one project half of them; above it the answer is 503 with Retry-After.',
    isLimit: true,
    fallback: 8,
    parse: integer(1, 1000),
  }),
  exportSeconds: variable({
    name: 'CAIRN_EXPORT_SECONDS',
    doc: 'Time that an export may take; then it is ended.',
    isLimit: true,
    fallback: 3600,
    parse: integer(1, 86_400),
  }),
  stallSeconds: variable({
    name: 'CAIRN_STALL_SECONDS',
    doc: 'Time after which a connection is ended whose client takes less than 64 KB of an answer that waits for it.',
    isLimit: true,
    fallback: 60,
    parse: integer(1, 3600),
  }),
  scanSeconds: variable({
    name: 'CAIRN_SCAN_SECONDS',
    doc: 'Time that filters of a request may take which no index answers, without the time that they wait for their turn; past it the answer is a 400 saying to narrow the period.',
    isLimit: true,
    fallback: 5,
    parse: integer(1, 3600),
  }),
  maxScans: variable({
    name: 'CAIRN_MAX_SCANS',
    doc: 'Filters without an index that are worked on at the same time: threads of low priority on SQLite, connections to PostgreSQL. One project has all but one of them.',
    isLimit: true,
    fallback: 2,
    parse: integer(1, 100),
  }),
  maxWaitingScans: variable({
    name: 'CAIRN_MAX_WAITING_SCANS',
    doc: 'Requests of a project that may wait for their turn with such filters; above it the answer is 429 with Retry-After.',
    isLimit: true,
    fallback: 32,
    parse: integer(1, 10_000),
  }),
  sweepSeconds: variable({
    name: 'CAIRN_SWEEP_SECONDS',
    doc: 'Time between two sweeps, which delete traces that are older than their project keeps them.',
    fallback: 3600,
    parse: integer(1, 86_400),
  }),
  shutdownSeconds: variable({
    name: 'CAIRN_SHUTDOWN_SECONDS',
    doc: 'Time that requests under way have to finish after SIGTERM.',
    fallback: 25,
    parse: integer(1, 3600),
  }),
  supervisor: variable({
    name: 'CAIRN_SUPERVISOR',
    doc: '`off` runs `cairn serve` without the process that starts the server again when it dies: for service managers and containers, which do so themselves.',
    fallback: 'on' as const,
    parse: oneOf('on', 'off'),
  }) as Variable<'on' | 'off'>,
  webhookRetrySeconds: variable<number[]>({
    name: 'CAIRN_WEBHOOK_RETRY_SECONDS',
    doc: 'Seconds between the tries of a delivery to a webhook, comma-separated; after the last one it has failed. Each is varied by up to a tenth.',
    fallback: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
    parse: seconds,
  }),
  allowInsecureIssuers: variable({
    name: 'CAIRN_ALLOW_INSECURE_ISSUERS',
    doc: 'Development only: lets outgoing fetches of user-named addresses reach http and private addresses.',
    fallback: false,
    parse: flag,
  }),
  ...providerVariables('openai', 'OpenAI'),
  ...providerVariables('anthropic', 'Anthropic'),
  ...providerVariables('google', 'Google'),
  compatibleBaseUrl: urlVariable(
    'COMPATIBLE_BASE_URL',
    "Base URL of a server that speaks OpenAI's API (Ollama, vLLM, LM Studio), as http://localhost:11434/v1.",
  ),
  compatibleApiKey: keyVariable('COMPATIBLE_API_KEY', 'Key of that server, if it wants one.'),
  compatibleModels: modelsVariable(
    'COMPATIBLE_MODELS',
    "That server's models that requests may name, comma-separated, each a name or `name=id`.",
  ),
  defaultModel: variable<string | undefined>({
    name: 'CAIRN_DEFAULT_MODEL',
    doc: 'Model that answers when the one asked for has no provider, or its provider fails.',
    fallback: undefined,
    fallbackDoc: 'gpt-4o-mini, or the first model of the first provider that is configured',
    parse: model,
  }),
  embeddingModel: variable<string | undefined>({
    name: 'CAIRN_EMBEDDING_MODEL',
    doc: 'Model that documents and questions are embedded with, as openai/text-embedding-3-small; its provider is openai, google or compatible, configured here or on the console. Without it nothing is embedded.',
    fallback: undefined,
    parse: embeddingModel,
  }),
  embeddingDimensions: variable<number | undefined>({
    name: 'CAIRN_EMBEDDING_DIMENSIONS',
    doc: 'Length of the vectors to ask that model for, where it can be asked.',
    fallback: undefined,
    fallbackDoc: "the model's own",
    parse: integer(1, 8192),
  }),
  relationships: variable({
    name: 'CAIRN_RELATIONSHIPS',
    doc: 'How passages of a document are related to one another: `local` by rules of the server, `model` by the default model where a provider is configured (every document is sent to it, and paid for), `off` not at all.',
    fallback: 'local' as const,
    parse: oneOf('local', 'model', 'off'),
  }) as Variable<'local' | 'model' | 'off'>,
  modelSeconds: variable({
    name: 'CAIRN_MODEL_SECONDS',
    doc: 'Time that a model may be silent, before its first word and between two; then it has failed.',
    isLimit: true,
    fallback: 60,
    // Past this the connection is given up by Node itself.
    parse: integer(1, 300),
  }),
  maxModelAnswers: variable({
    name: 'CAIRN_MAX_MODEL_ANSWERS',
    doc: 'Answers by models that are under way at the same time for one project; for one of its end users, and for its own keys, three quarters of them; for all projects together, four times as many. As many again may wait for each; then the answer is 429 with Retry-After.',
    isLimit: true,
    fallback: 64,
    parse: integer(1, 10_000),
  }),
  jobLeaseSeconds: variable({
    name: 'CAIRN_JOB_LEASE_SECONDS',
    doc: 'For how long a server that dies holds its background work, until it or another one goes on with it.',
    fallback: 20,
    parse: integer(1, 3600),
  }),
  judgeConcurrency: variable({
    name: 'CAIRN_JUDGE_CONCURRENCY',
    doc: 'Calls to models that batches and rules of judges of one project make at the same time; those of all projects together make twice as many at most.',
    isLimit: true,
    fallback: 4,
    parse: integer(1, 100),
  }),
  runConcurrency: variable({
    name: 'CAIRN_RUN_CONCURRENCY',
    doc: 'Cases of a test run that are worked on at a time, unless the run says otherwise.',
    isLimit: true,
    fallback: 4,
    parse: integer(1, limits.runConcurrency),
  }),
  maxCases: variable({
    name: 'CAIRN_MAX_CASES',
    doc: 'Cases of all test runs that one server process works on at a time; a quarter of the places is kept from any one project.',
    isLimit: true,
    fallback: 16,
    parse: integer(1, 1000),
  }),
  caseSeconds: variable({
    name: 'CAIRN_CASE_SECONDS',
    doc: 'Time that the target of a test run has to answer a case, unless the run says otherwise.',
    isLimit: true,
    fallback: 60,
    parse: integer(1, limits.caseMs / 1000),
  }),
  heartbeatSeconds: variable({
    name: 'CAIRN_HEARTBEAT_SECONDS',
    doc: 'Time without an event after which a streamed answer sends a comment, so that proxies keep it open.',
    fallback: 15,
    parse: integer(1, 3600),
  }),
}

type Variables = typeof variables
export type Config = { readonly [K in keyof Variables]: Variables[K] extends Variable<infer T> ? T : never }

/** The key of a variable with a number for its value. */
type NumberKey = { [K in keyof Config]: Config[K] extends number ? K : never }[keyof Config] | 'memoryBytes'

export interface Limit {
  key: NumberKey
  name: string
  doc: string
}

/** The variables that keep one project from slowing down others. */
export const limitSettings: readonly Limit[] = Object.entries<Variable<unknown>>(variables)
  .filter(([, { isLimit }]) => isLimit)
  .map(([key, { name, doc }]) => ({ key: key as NumberKey, name, doc }))

/** One variable's value; an empty string counts as not set, as shells and compose files pass it on. */
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
 * Names that look like ours and that nobody reads: a slip of the pen, or a client's own. Worth a warning, and no
 * refusal, since clients share the prefix.
 */
export function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const known = new Set(Object.values(variables).map((definition) => definition.name))
  return Object.keys(environment).filter((name) => name.startsWith('CAIRN_') && !known.has(name))
}

/** What several variables say together. */
function checkProviders(config: Config): void {
  if (config.compatibleModels.length > 0 && !config.compatibleBaseUrl) {
    throw new ConfigError('COMPATIBLE_MODELS needs COMPATIBLE_BASE_URL')
  }
}

/** Parses the environment once. Throws ConfigError on nonsense. */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const entries = Object.entries(variables).map(([key, definition]) => [
    key,
    read(definition as Variable<unknown>, environment),
  ])
  const config = Object.freeze(Object.fromEntries(entries)) as Config
  checkProviders(config)
  return config
}
