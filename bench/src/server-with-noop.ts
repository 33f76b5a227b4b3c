import { once } from 'node:events'
import { CreatedTrace, CreateTrace, ProjectParams } from '@cairn/contract'
import { buildApp } from '@cairn/server/app'
import { pino } from 'pino'
import { loadConfig } from '../../server/src/config.ts'
import { migrate, openDatabase } from '../../server/src/db/index.ts'
import { projectKey } from '../../server/src/http/access.ts'

/**
 * The application with one more route. It accepts the body of POST traces, runs the same checks and returns the same
 * response, but stores nothing. The difference between the two routes is the cost of durable storage.
 */
const config = loadConfig(process.env)
const logger = pino({
  level: config.logLevel ?? 'info',
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
})
const db = await openDatabase(config)
await migrate(db)
const app = await buildApp({
  config,
  db,
  adminToken: config.adminToken ?? '',
  encryptionKey: Buffer.alloc(32),
  version: '0.0.0',
  logger,
})

app.post(
  '/v1/:project_id/noop',
  {
    config: { access: projectKey('ingest') },
    schema: { hide: true, params: ProjectParams, body: CreateTrace, response: { 201: CreatedTrace } },
  },
  async (_request, reply) =>
    reply.code(201).send({ trace_id: 'trc_00000000000000000000', status: 'created' as const }),
)

const url = await app.listen({ host: config.host, port: config.port })
logger.info({ url, pid: process.pid }, 'listening')
await once(process, 'SIGTERM')
await app.close()
await db.close()
process.exit()
