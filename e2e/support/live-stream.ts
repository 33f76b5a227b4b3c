import { setTimeout as pause } from 'node:timers/promises'
import { type Api, parseEvents, type SentEvent } from './api.ts'

/** A streamed answer that is read while it arrives, and can be aborted. */
export class LiveStream {
  readonly status: number
  /** The received text, including comments. */
  text = ''
  /** Settles at the end of the stream. */
  readonly ended: Promise<void>
  readonly #controller: AbortController

  private constructor(response: Response, controller: AbortController) {
    this.status = response.status
    this.#controller = controller
    this.ended = this.#read(response).catch(() => {})
  }

  static async open(api: Api, path: string, body: object): Promise<LiveStream> {
    const controller = new AbortController()
    const response = await fetch(api.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...api.credential },
      body: JSON.stringify(body),
      signal: controller.signal,
    })
    return new LiveStream(response, controller)
  }

  get events(): SentEvent[] {
    const complete = this.text.slice(0, this.text.lastIndexOf('\n\n') + 2)
    return parseEvents(complete)
  }

  /** The received part of the answer. */
  get content(): string {
    return this.events.map(({ type, data }) => (type === 'content' ? data : '')).join('')
  }

  async wait(holds: (stream: LiveStream) => boolean, timeoutMs = 15_000): Promise<void> {
    const end = Date.now() + timeoutMs
    while (!holds(this)) {
      if (Date.now() > end) throw new Error(`it did not come: ${holds}; but ${this.text.slice(0, 2000)}`)
      await pause(5)
    }
  }

  leave(): void {
    this.#controller.abort()
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder()
    for await (const part of response.body ?? []) this.text += decoder.decode(part, { stream: true })
  }
}
