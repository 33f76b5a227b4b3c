import { CairnError, SignIn } from '@cairn/contract'
import { administrator, anyone } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { clearSessionCookie, sessionCookie, setSessionCookie } from '../../http/sign-in.ts'
import { type SignIns, sessionSeconds } from './sign-ins.ts'

const tags = ['Console: sign-in']

/** Sign-in of the dashboard: the admin token for a cookie that no script can read. */
export function signInRoutes(app: App, sessions: SignIns): void {
  app.post(
    '/v1/console/session',
    {
      config: { access: administrator },
      schema: {
        tags,
        summary: 'Sign in: answers the admin token with a session cookie of seven days',
        response: { 201: SignIn },
      },
    },
    async (request, reply) => {
      // A session does not make another one: a stolen cookie ends when it ends.
      if (request.headers['x-admin-token'] === undefined) {
        throw new CairnError('missing_credentials', 'the header X-Admin-Token is missing')
      }
      const { secret, session } = await sessions.create()
      setSessionCookie(request, reply, secret, sessionSeconds)
      return reply.code(201).send(session)
    },
  )

  app.get(
    '/v1/console/session',
    {
      config: { access: anyone },
      schema: {
        tags,
        summary: 'Tell whether the request comes with a session cookie that is valid',
        response: { 200: SignIn },
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return sessions.find(sessionCookie(request))
    },
  )

  app.delete(
    '/v1/console/session',
    {
      config: { access: administrator },
      schema: { tags, summary: 'Sign out: the session of the cookie is over', response: { 200: SignIn } },
    },
    async (request, reply) => {
      const ended = await sessions.end(sessionCookie(request))
      clearSessionCookie(request, reply)
      return ended
    },
  )
}
