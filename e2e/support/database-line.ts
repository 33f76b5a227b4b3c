import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy to a database or to Redis that can be interrupted, to simulate a restart or a network fault. */
export class DatabaseLine {
  /** The URL of the database through this proxy. */
  readonly url: string
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #cut = false
  #frozen = false

  private constructor(url: string, server: Server) {
    this.url = url
    this.#server = server
  }

  static async to(databaseUrl: string): Promise<DatabaseLine> {
    const target = new URL(databaseUrl)
    const server = createServer({ allowHalfOpen: false })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const own = new URL(databaseUrl)
    own.port = String((server.address() as AddressInfo).port)
    const line = new DatabaseLine(own.href, server)
    server.on('connection', (near) => line.#join(near, Number(target.port), target.hostname))
    return line
  }

  #join(near: Socket, port: number, host: string): void {
    if (this.#cut) return void near.resetAndDestroy()
    if (this.#frozen) {
      this.#sockets.add(near.on('error', () => {}))
      return
    }
    const far = connect(port, host)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
  }

  /** Resets all connections, including new ones. */
  cut(): void {
    this.#cut = true
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  /** Keeps connections open, including new ones, but forwards no bytes, like a lost host. */
  freeze(): void {
    this.#frozen = true
    for (const socket of this.#sockets) socket.unpipe().pause()
  }

  /** Forwards new connections again; frozen connections stay frozen. */
  mend(): void {
    this.#cut = false
    this.#frozen = false
  }

  close(): void {
    this.cut()
    this.#server.close()
  }
}
