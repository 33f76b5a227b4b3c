import { type AuthorizationOptions, registerAuthorization } from '../http/authorize.ts'
import type { App } from '../http/fastify.ts'
import { InMemoryRateLimits, type RateLimits } from '../http/rate-limit.ts'
import { Redis, redisProblem } from '../http/redis.ts'
import { SharedLimits } from '../http/shared-limits.ts'
import type { AppDependencies } from './dependencies.ts'
import type { Services } from './services.ts'

/** Rate limits in Redis, shared by all processes with the same Redis, or in memory without Redis. */
export async function createRateLimits({
  config: { redisUrl },
  logger,
}: AppDependencies): Promise<{ rateLimits: RateLimits; redis?: Redis }> {
  if (!redisUrl) return { rateLimits: new InMemoryRateLimits() }
  const redis = await Redis.open(redisUrl, {
    onAway: (error) =>
      logger.warn(
        { problem: redisProblem(error) },
        'Redis does not answer; until it does, each process counts rate limits separately',
      ),
    onBack: () => logger.info('Redis answers again; rate limits are shared'),
  })
  return { rateLimits: new SharedLimits(redis), redis }
}

/** The lookups of authorization, implemented by the services. */
function directoryOf({
  access,
  signIns,
  chats,
  owners,
  identities,
}: Services): AuthorizationOptions['directory'] {
  return {
    findKey: (token) => access.findKey(token),
    isSession: async (secret) => (await signIns.find(secret)).signed_in,
    projectExists: (projectId) => access.projectExists(projectId),
    findChat: (chatId) => chats.findAccess(chatId),
    findChatOf: (resource, id) => owners[resource](id),
    findApplication: async (appId) => {
      const application = await identities.findApplication(appId)
      return { identify: (token) => identities.identify(application, token) }
    },
  }
}

/** Authorizes all routes that are registered afterwards. */
export function authorize(
  app: App,
  { config, adminToken }: AppDependencies,
  services: Services,
  rateLimits: RateLimits,
): void {
  registerAuthorization(app, {
    directory: directoryOf(services),
    rateLimits,
    userLimits: {
      query: config.queriesPerMinute,
      upload: config.uploadsPerMinute,
      bulk: config.bulkUploadsPerMinute,
      // A user rates answers no more often than they ask.
      rating: config.queriesPerMinute,
    },
    adminToken,
    requestsPerSecond: config.requestsPerSecond,
    wrongKeysPerMinute: config.wrongKeysPerMinute,
    wrongAdminTokensPerMinute: config.wrongAdminTokensPerMinute,
  })
}
