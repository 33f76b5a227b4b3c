import { CairnError } from '@cairn/contract'
import type { App } from './fastify.ts'

/**
 * While the server closes it finishes what it has accepted; what still arrives on open connections is refused
 * with the documented body. Answers whether it is closing.
 */
export function registerStopping(app: App): () => boolean {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.addHook('onRequest', async (_request, reply) => {
    if (!stopping) return
    reply.header('connection', 'close')
    throw new CairnError('overloaded', 'the server is stopping', { retryAfter: 1 })
  })
  return () => stopping
}
