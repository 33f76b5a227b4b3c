import type { Socket } from 'node:net'
import { CairnError } from '@cairn/contract'
import type { App } from './fastify.ts'

const sweepMs = 50

interface Connection {
  /** Running requests. */
  requests: number
  /** Bytes received when the last request began or ended. */
  bytesRead: number
}

/**
 * A closing server finishes the requests that it has accepted. Further requests on open connections get 503 with the
 * documented body. Returns a function that tells whether the server is closing.
 *
 * Connections are checked until the last one is closed: a busy connection becomes idle later, and Node does not treat
 * a connection that has sent no request as idle. Both would keep the server running.
 *
 * Afterwards the queue of traces is drained, the threads end, and the database closes (`app.ts`).
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

  /** A quiet connection has no running request and has received no byte of a next one. */
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
