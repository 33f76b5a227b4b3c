import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { googleEmbeddings, openaiEmbeddings } from './provider-wire.ts'

export interface ProviderCall {
  path: string
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: each provider has a body of its own, and tests look into it
  body: any
  /** The caller closed the connection before the answer was complete. */
  aborted: boolean
}

/** A status with an error body instead of an answer. */
export interface Refusal {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

/** A server on this machine that speaks the APIs of the model providers, and answers as a test tells it to. */
export class StubProvider {
  readonly calls: ProviderCall[] = []
  /** What comes instead of vectors, if anything. */
  refuseEmbeddings: (number: number) => Refusal | undefined = () => undefined
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  static async start(): Promise<StubProvider> {
    const provider = new StubProvider()
    provider.#server.listen(0, '127.0.0.1')
    await once(provider.#server, 'listening')
    return provider
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  at(path: string): ProviderCall[] {
    return this.calls.filter((call) => call.path.includes(path))
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const part of request) text += part
    const headers = request.headers as Record<string, string>
    const call: ProviderCall = { path: request.url ?? '', headers, body: JSON.parse(text), aborted: false }
    this.calls.push(call)
    response.on('close', () => (call.aborted = !response.writableFinished))
    if (/embed/i.test(call.path)) this.#embed(call, response)
    else refuse(response, { status: 404 })
  }

  #embed(call: ProviderCall, response: ServerResponse): void {
    const refusal = this.refuseEmbeddings(this.at('mbed').length)
    const isGoogle = /embedContents?$/i.test(call.path)
    if (refusal) refuse(response, refusal)
    else json(response, isGoogle ? googleEmbeddings(call.body) : openaiEmbeddings(call.body))
  }
}

function json(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function refuse(response: ServerResponse, { status, headers, body }: Refusal): void {
  json(response, body ?? { error: { message: 'refused', type: 'stub_error' } }, status, headers)
}
