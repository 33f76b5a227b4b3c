import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'

export interface ReceivedCall {
  path: string
  headers: Record<string, string>
  body: string
  /** Milliseconds since the Unix epoch. */
  at: number
}

/** The payload of a call, checked as by a receiver with Standard Webhooks; throws if the signature is invalid. */
export function verified(secret: string, { headers, body }: ReceivedCall): unknown {
  return new Webhook(secret).verify(body, headers)
}

/** The response of a receiver: a status, or none. */
export type ReceiverAnswer = number | 'nothing'

/** An endpoint that receives webhooks. */
export class Receiver {
  readonly calls: ReceivedCall[] = []
  /** Called with each call and its number at its path, from 1. */
  answer: (call: ReceivedCall, number: number) => ReceiverAnswer = () => 204
  readonly #server: Server

  private constructor() {
    this.#server = createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      const headers = request.headers as Record<string, string>
      const call = { path: request.url ?? '', headers, body, at: Date.now() }
      this.calls.push(call)
      const status = this.answer(call, this.at(call.path).length)
      if (status === 'nothing') return
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end()
    })
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver()
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`
  }

  at(path: string): ReceivedCall[] {
    return this.calls.filter((call) => call.path === path)
  }

  /** Waits for a number of calls at a path. */
  async wait(path: string, count: number, timeoutMs = 40_000): Promise<ReceivedCall[]> {
    const end = Date.now() + timeoutMs
    while (this.at(path).length < count) {
      if (Date.now() > end) throw new Error(`${this.at(path).length} of ${count} calls came to ${path}`)
      await pause(10)
    }
    return this.at(path)
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
