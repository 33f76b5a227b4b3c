import type { IncomingMessage } from 'node:http'
import { isLarge, readNextInTurn } from './body.ts'

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
      const timer = setTimeout(() => resolve(false), maxMs)
      const settle = (isWhole: boolean) => {
        clearTimeout(timer)
        resolve(isWhole)
      }
      const finish = () => settle(true)
      request.on('end', finish).on('error', finish).on('close', finish)
      this.#read(request, () => settle(false))
    })
  }

  /** For a connection that stays open: the response does not wait for the rest. Too many bytes end the connection. */
  discard(request: IncomingMessage): void {
    if (!request.complete && !request.destroyed) this.#read(request, () => request.destroy())
  }

  #read(request: IncomingMessage, onTooLarge: () => void): void {
    let seen = 0
    const isSlow = isLarge(request)
    if (isSlow) request.off('data', readNextInTurn)
    request.on('data', (part: Buffer) => {
      seen += part.length
      if (seen > maxBytes) onTooLarge()
      if (isSlow) this.#pause(request, part.length)
    })
    request.resume()
  }

  /** Pauses until the bytes read are within the rate. */
  #pause(request: IncomingMessage, bytes: number): void {
    request.pause()
    const now = performance.now()
    this.#dueMs = Math.max(now - mostLateMs, this.#dueMs) + bytes / bytesPerMs
    const resume = () => request.resume()
    if (this.#dueMs > now) setTimeout(resume, this.#dueMs - now)
    else setImmediate(resume)
  }
}
