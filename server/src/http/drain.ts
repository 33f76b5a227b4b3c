import type { IncomingMessage } from 'node:http'
import { isLarge } from './body.ts'

const maxBytes = 128 * 1024 * 1024
const maxMs = 10_000
/** The rate of all large rejected bodies together. */
const bytesPerMs = 64 * 1024
/** Timers are late on a busy machine. Reading catches up on at most this much missed time. */
const mostLateMs = 50

/**
 * Reads and discards the rest of a rejected request, so that its client finishes sending and reads the response. All
 * large bodies share one low rate, so a client that repeats rejected bodies slows down only such bodies.
 */
export class Drain {
  /** The time at which the bytes read so far are within the rate. */
  #dueMs = 0

  /** Resolves with false if the body exceeds the limit of bytes or time; the caller then closes the connection. */
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
