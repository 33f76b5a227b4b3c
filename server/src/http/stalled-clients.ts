import type { Socket } from 'node:net'
import type { App } from './fastify.ts'

/** A client that takes fewer bytes than this in the given time, though more wait for it, has stalled. */
const leastBytes = 64 * 1024
/** Looks at each connection so often in the time that a client has. */
const looks = 4

interface Progress {
  /** Bytes that the system has taken for the client when the time began. */
  taken: number
  since: number
}

/** Node does not show elsewhere how much of a large write the system has taken. */
interface WithHandle {
  _handle?: { bytesWritten: number; writeQueueSize: number } | null
}

function bytesTaken(socket: Socket): number {
  const handle = (socket as WithHandle)._handle
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}

/**
 * Ends connections whose clients do not take their answers: each holds memory, and an export a place as well. Node's
 * own timeout of a connection starts anew with each byte that the client sends.
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
