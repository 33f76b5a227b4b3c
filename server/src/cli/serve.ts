import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Logger, pino } from 'pino'
import { buildApp } from '../app.ts'
import { type Config, unknownVariables } from '../config.ts'
import { openDatabase } from '../db/index.ts'
import { currentRequest } from '../lib/current-work.ts'
import { loggedError } from '../lib/logged-error.ts'
import { version } from '../version.ts'
import { type AdminToken, loadAdminToken } from './admin-token.ts'
import { loadEncryptionKey } from './encryption-key.ts'
import { Supervisor } from './supervisor.ts'
import { upgrade } from './upgrade.ts'
import { refuseArguments } from './usage.ts'

function address(config: Config, bound: AddressInfo | string | null): string {
  const port = typeof bound === 'object' && bound ? bound.port : config.port
  // A server that listens on every address is reachable at localhost.
  const reachable = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host
  const host = reachable.includes(':') ? `[${reachable}]` : reachable
  return `http://${host}:${port}`
}

/** In a terminal, requests would scroll the greeting away. */
const defaultLevel = process.stdout.isTTY ? 'warn' : 'info'

/** Writes one JSON object per line to standard output. */
function createLogger(level: NonNullable<Config['logLevel']>): Logger {
  const logger: Logger = pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // At the level trace, libraries log request headers, and these contain keys.
    serializers: { err: loggedError },
    redact: { paths: ['headers', 'req.headers', 'busboyOptions.headers'], remove: true },
    // The logger of a request has the id already.
    mixin: (_line, _level, used) => {
      const request = used === logger ? currentRequest() : undefined
      return request ? { request_id: request.id } : {}
    },
  })
  return logger
}

/** Whether a terminal shows only warnings and errors. */
function isQuiet({ logLevel }: Config): boolean {
  return logLevel === undefined && defaultLevel === 'warn'
}

/** First information for a new user, on standard error because standard output is the structured log. */
function greeting(url: string, config: Config, admin: AdminToken): string {
  const lines = [
    `Cairn ${version} is listening on ${url}`,
    `  first steps    ${url}`,
    `  API reference  ${url}/docs`,
    `  data           ${config.databaseUrl ? 'PostgreSQL (DATABASE_URL)' : config.dataDir}`,
    `  admin token    ${admin.file ? `in ${admin.file}` : 'from CAIRN_ADMIN_TOKEN'}`,
    ...(admin.isNew ? [`                 ${admin.token}  (made now, shown this once)`] : []),
    '  first key      npm run -s cairn -- keys create "My project"   (for traces; chats have keys of their own)',
    ...(isQuiet(config)
      ? ['  log            warnings and errors; with CAIRN_LOG_LEVEL=info also each request']
      : []),
  ]
  return `${lines.join('\n')}\n`
}

const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP']

/** Resolves with the reason to stop: a signal, or the end of the supervisor. A second signal ends the process at once. */
async function stopReason(supervisor: Supervisor): Promise<string> {
  const signals = stopSignals.map(async (name) => {
    await once(process, name)
    return name
  })
  const reason = await Promise.race([...signals, supervisor.gone.then(() => 'the supervisor has died')])
  for (const name of stopSignals) process.once(name, () => process.exit(1))
  return reason
}

/** Runs the server until it is asked to stop; returns the exit code. */
export async function serve(config: Config, args: string[]): Promise<number> {
  refuseArguments(args)
  const supervisor = new Supervisor()
  const stop = stopReason(supervisor)
  const logger = createLogger(config.logLevel ?? defaultLevel)
  const admin = await loadAdminToken(config.adminToken, config.dataDir)
  const encryptionKey = await loadEncryptionKey(config.encryptionKey, config.dataDir)
  const db = await openDatabase(config)
  const applied = await upgrade(db)
  if (applied > 0) logger.info({ applied }, 'migrated')
  for (const name of unknownVariables(process.env)) logger.warn({ name }, 'unknown CAIRN_ variable; ignored')
  const app = await buildApp({
    config,
    db,
    adminToken: admin.token,
    encryptionKey,
    version,
    logger,
    supervisor,
  })
  await app.listen({ host: config.host, port: config.port })
  const url = address(config, app.server.address())
  process.stderr.write(greeting(url, config, admin))
  logger.info({ url, pid: process.pid }, 'listening')
  supervisor.listening(app.server.address())

  const reason = await stop
  supervisor.stopping()
  if (isQuiet(config)) process.stderr.write('Stopping …\n')
  logger.info({ reason }, 'stopping')
  // Unref'd, so that the timer does not keep a finished server running.
  setTimeout(() => {
    logger.error('requests under way did not finish in time')
    process.exit(1)
  }, config.shutdownSeconds * 1000).unref()
  await app.close()
  await db.close()
  logger.info('stopped')
  return 0
}
