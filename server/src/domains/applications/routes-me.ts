import { Profile } from '@cairn/contract'
import { user } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { userOf } from '../../http/user.ts'
import { profileOf } from './identities.ts'

/** Route with which an end user reads their own profile. */
export function profileRoutes(app: App): void {
  app.get(
    '/v1/me/profile',
    {
      config: { access: user() },
      schema: {
        tags: ['Users'],
        operationId: 'getMyProfile',
        summary: 'Read your own profile',
        response: { 200: Profile },
      },
    },
    async (request) => profileOf(userOf(request)),
  )
}
