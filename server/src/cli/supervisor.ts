import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { ServerRestarts } from '@cairn/contract'

/** The connection to the parent process that restarts this process after a crash (`bin/supervisor.mjs`), if it exists. */
export class Supervisor {
  /** Undefined without a supervisor. */
  restarts: ServerRestarts | undefined
  /** Resolves when the supervisor has ended; never resolves without a supervisor. */
  readonly gone: Promise<unknown>

  constructor() {
    process.once('message', (restarts: ServerRestarts) => {
      this.restarts = restarts
    })
    const isLost = process.send !== undefined && !process.connected
    this.gone = isLost ? Promise.resolve() : once(process, 'disconnect')
  }

  /** Reports the port, so that a restarted server listens on the same port. */
  listening(address: AddressInfo | string | null): void {
    if (typeof address === 'object' && address) this.#tell({ port: address.port })
  }

  /** Reports an intended stop, so that the supervisor does not restart the server. */
  stopping(): void {
    this.#tell({ stopping: true })
  }

  #tell(message: object): void {
    if (process.connected) process.send?.(message)
  }
}
