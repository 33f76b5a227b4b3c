import type { IncomingMessage } from 'node:http'
import { isLarge } from './body.ts'

const maxBytes = 128 * 1024 * 1024
const maxMs = 10_000
/** Of all large refused bodies together. */
const bytesPerMs = 64 * 1024
/** On a busy machine timers are late: time that was missed is made up for, but not more than this. */
const mostLateMs = 50

/**
 * Reads and discards the rest of a refused request, so that its client finishes sending and reads the response. All
 * connections share one slow lane for large bodies: a client that sends refused bodies again and again waits for its own.
 */
export class Drain {
  /** When everything that was read so far has had its time. */
  #dueMs = 0

  /** Resolves with false when more than the limits of bytes or time is left: close the connection after the response. */
  run(request: IncomingMessage): Promise<boolean> {
    if (request.complete || request.destroyed) return Promise.resolve(true)
    return new Promise((resolve) => {
      let seen = 0
      const giveUp = () => resolve(false)
      const timer = setTimeout(giveUp, maxMs)
      const finish = () => {
        clearTimeout(timer)
        resolve(true)
      }
      request.on('data', (part: Buffer) => {
        seen += part.length
        if (seen <= maxBytes) return
        clearTimeout(timer)
        giveUp()
      })
      request.on('end', finish).on('error', finish).on('close', finish)
      if (isLarge(request)) this.#slowDown(request)
      request.resume()
    })
  }

  #slowDown(request: IncomingMessage): void {
    request.on('data', (part: Buffer) => {
      request.pause()
      const now = performance.now()
      this.#dueMs = Math.max(now - mostLateMs, this.#dueMs) + part.length / bytesPerMs
      const resume = () => request.resume()
      if (this.#dueMs > now) setTimeout(resume, this.#dueMs - now)
      else setImmediate(resume)
    })
  }
}
