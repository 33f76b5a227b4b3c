import { sql } from 'kysely'
import { authorize, createRateLimits } from './app/authorization.ts'
import type { AppDependencies } from './app/dependencies.ts'
import { createFastify } from './app/fastify.ts'
import { createMemoryBudget, startMemoryChecks } from './app/memory.ts'
import { loadProviders, refreshProviders } from './app/models.ts'
import { registerRoutes } from './app/routes.ts'
import { createServices } from './app/services.ts'
import { createStatus } from './app/status.ts'
import { startSweeps } from './app/sweeps.ts'
import { registerAudit } from './http/audit.ts'
import { registerBodyBudget } from './http/body-budget.ts'
import type { App } from './http/fastify.ts'
import { registerForms } from './http/form.ts'
import { healthRoutes } from './http/health.ts'
import { registerMemoryAdmission } from './http/memory.ts'
import { serverStatusRoutes } from './http/server-status.ts'

/** Share of the time for stopping after which answers under way are ended. */
const lastCall = 0.8

/**
 * The whole application over an open, migrated database. Nothing listens yet: `serve` opens the socket, tests
 * and benchmarks may do so on a port of their own. Closing it finishes what was accepted; the database stays
 * the caller's.
 */
export async function buildApp(dependencies: AppDependencies): Promise<App> {
  const { config, db, version } = dependencies
  const services = createServices(dependencies)
  await loadProviders(dependencies, services)
  const { rateLimits, redis } = await createRateLimits(dependencies)
  const { app, isStopping } = await createFastify(dependencies)
  authorize(app, dependencies, services, rateLimits)
  const memory = createMemoryBudget(config, services)
  registerMemoryAdmission(app, memory)
  registerBodyBudget(app, config.maxBodyBytesUnderWay)
  registerForms(app)
  registerAudit(app, services.audit)

  healthRoutes(app, {
    version,
    isStopping,
    hasModels: () => services.models.hasChat,
    pingDatabase: () => sql`select 1`.execute(db.read),
    ...(redis && { redisAnswers: () => redis.answers() }),
  })
  serverStatusRoutes(app, createStatus(dependencies, services, memory))
  registerRoutes(app, config, services)

  app.addHook('onListen', async () => services.jobs.start())
  const stopMemoryChecks = startMemoryChecks(memory)
  const stopSweeps = startSweeps(app, dependencies, services)
  const stopRefreshing = refreshProviders(app, services)
  app.addHook('preClose', async () => {
    // Most answers end by themselves; for others there has to be time to tell their callers and to write them down.
    setTimeout(() => services.answering.stop(), config.shutdownSeconds * 1000 * lastCall).unref()
  })
  app.addHook('onClose', async () => {
    stopMemoryChecks()
    await services.jobs.stop()
    await stopSweeps()
    await stopRefreshing()
    await services.answering.drain()
    await services.traceRecorder.drain()
    await services.spanInbox.drain()
    await services.embedding.close()
    await services.extraction.close()
    services.local.close()
    await services.indexing.close()
    await services.fitting.close()
    await services.relating.close()
    await services.localScorers.close()
    await services.testing.close()
    redis?.close()
  })
  return app
}
