import type { App } from '../http/fastify.ts'

export interface Repeated {
  everyMs: number
  /** Whether it is done at once, too. */
  atStart: boolean
  /** Does not reject. */
  run: () => Promise<void>
}

/**
 * Does something again and again from the moment the server listens, one time after the other; answers how to stop, which
 * waits for a time under way.
 */
export function repeat(app: App, { everyMs, atStart, run }: Repeated): () => Promise<void> {
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    running ??= run().finally(() => {
      running = undefined
    })
  }
  app.addHook('onListen', async () => {
    if (atStart) begin()
    timer = setInterval(begin, everyMs)
    timer.unref()
  })
  return async () => {
    clearInterval(timer)
    await running
  }
}
