import type { Socket } from 'node:net'
import { CairnError } from '@cairn/contract'
import type { App } from './fastify.ts'

const sweepMs = 50

interface Connection {
  /** Requests under way. */
  requests: number
  /** Bytes received when a request last began or ended. */
  bytesRead: number
}

/**
 * While the server closes it finishes what it has accepted; what still arrives on open connections is refused
 * with the documented body. Answers whether it is closing.
 *
 * Connections are swept until the last is gone: one that was busy when closing began turns idle later, and one
 * that never sent a request is not idle for Node; either would keep the server waiting.
 */
export function registerStopping(app: App): () => boolean {
  let stopping = false
  const connections = new Map<Socket, Connection>()

  function count(socket: Socket, change: number): void {
    const connection = connections.get(socket)
    if (!connection) return
    connection.requests += change
    connection.bytesRead = socket.bytesRead
  }

  /** Quiet: no request under way, and not a byte of a next one. */
  function closeQuietConnections(): void {
    for (const [socket, { requests, bytesRead }] of connections) {
      if (requests === 0 && socket.bytesRead === bytesRead) socket.destroySoon()
    }
  }

  app.server.on('connection', (socket) => {
    connections.set(socket, { requests: 0, bytesRead: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  app.addHook('preClose', async () => {
    stopping = true
    const sweep = setInterval(closeQuietConnections, sweepMs)
    app.server.once('close', () => clearInterval(sweep))
  })
  app.addHook('onRequest', async (request) => {
    count(request.raw.socket, 1)
    if (stopping) throw new CairnError('overloaded', 'the server is stopping', { retryAfter: 1 })
  })
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request) => count(request.raw.socket, -1))
  return () => stopping
}
