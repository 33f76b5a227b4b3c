import type { App } from '../http/fastify.ts'

export interface Repeated {
  everyMs: number
  /** Whether the first run starts when the server listens; otherwise after `everyMs`. */
  atStart: boolean
  /** Must not reject. */
  run: () => Promise<void>
}

/**
 * Calls `run` at an interval while the server listens. Skips a call while the previous one is running. Returns a function that
 * stops the calls and waits for a running one.
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
