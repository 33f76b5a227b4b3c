import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { ServerRestarts } from '@cairn/contract'

/** The parent process that starts this one again when it dies (`bin/supervisor.mjs`), where there is one. */
export class Supervisor {
  /** Undefined without a supervisor. */
  restarts: ServerRestarts | undefined
  /** Resolves when the supervisor has died; never without one. */
  readonly gone: Promise<unknown>

  constructor() {
    process.once('message', (restarts: ServerRestarts) => {
      this.restarts = restarts
    })
    const isLost = process.send !== undefined && !process.connected
    this.gone = isLost ? Promise.resolve() : once(process, 'disconnect')
  }

  /** A server that is started again listens on the same port. */
  listening(address: AddressInfo | string | null): void {
    if (typeof address === 'object' && address) this.#tell({ port: address.port })
  }

  /** A server that stops on request is not started again. */
  stopping(): void {
    this.#tell({ stopping: true })
  }

  #tell(message: object): void {
    if (process.connected) process.send?.(message)
  }
}
