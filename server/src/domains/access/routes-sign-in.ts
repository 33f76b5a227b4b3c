import { CairnError, SignIn } from '@cairn/contract'
import { administrator, anyone } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { clearSessionCookie, sessionCookie, setSessionCookie } from '../../http/sign-in.ts'
import { type SignIns, sessionSeconds } from './sign-ins.ts'

const tags = ['Sign-in']

/** Sign-in of the dashboard: exchanges the admin token for a cookie that scripts cannot read. */
export function signInRoutes(app: App, sessions: SignIns): void {
  app.post(
    '/v1/console/session',
    {
      config: { access: administrator },
      schema: {
        tags,
        operationId: 'signIn',
        summary: 'Sign in with the admin token; sets a session cookie for seven days',
        response: { 201: SignIn },
      },
    },
    async (request, reply) => {
      // A session cannot create another session, so a stolen cookie expires with its session.
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
        operationId: 'getSession',
        summary: 'Return whether the request has a valid session cookie',
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
      schema: {
        tags,
        operationId: 'signOut',
        summary: 'Sign out: end the session of the cookie',
        response: { 200: SignIn },
      },
    },
    async (request, reply) => {
      const ended = await sessions.end(sessionCookie(request))
      clearSessionCookie(request, reply)
      return ended
    },
  )
}
