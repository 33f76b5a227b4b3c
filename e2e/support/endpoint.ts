import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface EndpointCall {
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: the suite checks shapes at run time
  body: any
  /** The caller closed the connection before the response. */
  aborted: boolean
}

export interface EndpointAnswer {
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON, unless it is a text. */
  body: unknown
}

/** An HTTP endpoint of a user, which test runs call. */
export class Endpoint {
  readonly calls: EndpointCall[] = []
  /** Called with the number of the call, from 1. `nothing` sends no response. */
  answer: (call: EndpointCall, number: number) => EndpointAnswer | 'nothing' | Promise<EndpointAnswer> = ({
    body,
  }) => ({ body: { output: `You said: ${body.query}` } })
  readonly #server: Server

  private constructor() {
    this.#server = createServer(async (request, response) => {
      let text = ''
      for await (const part of request) text += part
      const headers = request.headers as Record<string, string>
      const call: EndpointCall = { headers, body: JSON.parse(text), aborted: false }
      this.calls.push(call)
      response.on('close', () => (call.aborted = !response.writableFinished))
      const answer = await this.answer(call, this.calls.length)
      if (answer === 'nothing') return
      const { status = 200, body } = answer
      const isText = typeof body === 'string'
      const type = isText ? 'text/plain' : 'application/json'
      response.writeHead(status, { 'content-type': type, ...answer.headers })
      response.end(isText ? body : JSON.stringify(body))
    })
  }

  static async start(): Promise<Endpoint> {
    const endpoint = new Endpoint()
    endpoint.#server.listen(0, '127.0.0.1')
    await once(endpoint.#server, 'listening')
    return endpoint
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ask`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
