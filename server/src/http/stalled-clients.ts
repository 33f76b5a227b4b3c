import type { Socket } from 'node:net'
import type { App } from './fastify.ts'

/** A client has stalled if it reads fewer bytes than this in the given time although more are waiting. */
const leastBytes = 64 * 1024
/** Number of checks of each connection within that time. */
const looks = 4

interface Progress {
  /** Bytes that the operating system had taken for the client when the time began. */
  taken: number
  since: number
}

/** Only the handle shows how much of a large write the operating system has taken. */
interface WithHandle {
  _handle?: { bytesWritten: number; writeQueueSize: number } | null
}

function bytesTaken(socket: Socket): number {
  const handle = (socket as WithHandle)._handle
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}

/**
 * Closes connections whose clients do not read their responses: each uses memory, and an export also uses a place.
 * Node's own timeout is not enough, because it restarts with every byte that the client sends.
 */
export function registerStalledClients(app: App, stallMs: number): void {
  const waiting = new Map<Socket, Progress>()
  const connections = new Set<Socket>()

  function look(): void {
    const now = performance.now()
    for (const socket of connections) {
      if (socket.writableLength === 0) {
        waiting.delete(socket)
        continue
      }
      const taken = bytesTaken(socket)
      const progress = waiting.get(socket)
      if (!progress || taken - progress.taken >= leastBytes) waiting.set(socket, { taken, since: now })
      else if (now - progress.since >= stallMs) socket.destroy()
    }
  }

  app.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => {
      connections.delete(socket)
      waiting.delete(socket)
    })
  })
  const timer = setInterval(look, stallMs / looks).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
