import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import {
  anthropicWire,
  googleEmbeddings,
  googleWire,
  openaiEmbeddings,
  openaiWire,
  responsesWire,
  type Tokens,
  type Wire,
} from './provider-wire.ts'
import {
  bedrockWire,
  cohereEmbeddings,
  cohereWire,
  groqWire,
  mistralWire,
  titanEmbedding,
  vertexEmbeddings,
} from './vendor-wire.ts'

export interface ProviderCall {
  path: string
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: each provider has a body of its own, and tests look into it
  body: any
  /** The body as it was sent. */
  text: string
  /** The caller closed the connection before the end of the response. */
  aborted: boolean
}

/** A status with an error body instead of an answer. */
export interface Refusal {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

/** The response to one call. */
export interface Script {
  /** The texts, each in a separate event. */
  pieces?: readonly string[]
  /** The reported token counts; null to report none. */
  tokens?: Tokens | null
  /** Delay before each piece, or before the complete answer. */
  pauseMs?: number
  /** Awaited before a streamed piece is sent, with its index. */
  before?: (index: number) => Promise<unknown> | undefined
  /** The end after the pieces: silence, a closed connection, an error event, invalid JSON, or only `[DONE]`. */
  ending?: 'done' | 'hang' | 'cut' | 'reset' | 'error' | 'garbage'
  refuse?: Refusal
  /** Writes the response instead. */
  raw?: (response: ServerResponse) => void
}

/** A response that never ends: the same piece again and again, as fast as the caller reads. */
export function endless(piece: string, type = 'text/event-stream', status = 200): Script {
  const raw = (response: ServerResponse) => {
    const more = () => {
      while (!response.destroyed && response.write(piece));
    }
    response.writeHead(status, { 'content-type': type }).on('drain', more)
    more()
  }
  return { raw }
}

/** A local server with the APIs of the model providers, which responds as a test scripts it. */
export class StubProvider {
  readonly calls: ProviderCall[] = []
  /** A response instead of vectors, if set. */
  refuseEmbeddings: (number: number) => Refusal | undefined = () => undefined
  /** Awaited before vectors are sent. */
  beforeEmbedding: (call: ProviderCall) => Promise<unknown> | undefined = () => undefined
  /** Called for each call to a chat model; `number` counts the calls from 1. */
  script: (call: ProviderCall, number: number) => Script = () => ({ pieces: ['Yes.'] })
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

  /** Environment variables that set this server as all providers, or as the named ones. */
  env(...providers: ('openai' | 'anthropic' | 'google')[]): Record<string, string> {
    const names = providers.length > 0 ? providers : (['openai'] as const)
    const pairs = names.flatMap((name) => [
      [`${name.toUpperCase()}_API_KEY`, `sk-${name}-secret-key`],
      [`${name.toUpperCase()}_BASE_URL`, `${this.url}/${name}/v1`],
    ])
    return Object.fromEntries(pairs)
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
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text)
    const call: ProviderCall = { path: request.url ?? '', headers, body, text, aborted: false }
    this.calls.push(call)
    response.on('close', () => (call.aborted = !response.writableFinished))
    if (isForm) json(response, { access_token: 'ya29.token', expires_in: 3600, token_type: 'Bearer' })
    else if (/embed/i.test(call.path)) await this.#embed(call, response)
    else await this.#chat(call, response)
  }

  async #embed(call: ProviderCall, response: ServerResponse): Promise<void> {
    await this.beforeEmbedding(call)
    const refusal = this.refuseEmbeddings(this.at('mbed').length)
    if (refusal) refuse(response, refusal)
    else json(response, embeddingsOf(call))
  }

  async #chat(call: ProviderCall, response: ServerResponse): Promise<void> {
    const script = this.script(call, this.calls.filter(({ path }) => !/embed/i.test(path)).length)
    const wire = wireOf(call.path)
    if (script.raw) script.raw(response)
    else if (!wire) refuse(response, { status: 404 })
    else if (script.refuse) refuse(response, script.refuse)
    else if (call.body.stream === true || /:stream|-stream$/.test(call.path))
      await stream(response, wire, script)
    else {
      await pause(script.pauseMs ?? 0)
      json(response, wire.whole(script.pieces?.join('') ?? '', script.tokens ?? defaultTokens))
    }
  }
}

const defaultTokens = { prompt: 1200, completion: 34 }

function embeddingsOf({ path, body }: ProviderCall): object {
  if (/embedContents?$/i.test(path)) return googleEmbeddings(body)
  if (path.endsWith(':predict')) return vertexEmbeddings(body)
  if (path.endsWith('/invoke')) return titanEmbedding(body)
  return path.endsWith('/embed') ? cohereEmbeddings(body) : openaiEmbeddings(body)
}

function wireOf(path: string): Wire | Wire<Buffer> | undefined {
  if (/\/converse(-stream)?$/.test(path)) return bedrockWire
  if (path.endsWith('/v2/chat')) return cohereWire
  if (path.startsWith('/mistral/')) return mistralWire
  if (path.startsWith('/groq/')) return groqWire
  if (path.endsWith('/chat/completions')) return openaiWire
  if (path.endsWith('/responses')) return responsesWire
  if (path.endsWith('/messages')) return anthropicWire
  return /:(stream)?generateContent/i.test(path) ? googleWire : undefined
}

async function stream(response: ServerResponse, wire: Wire | Wire<Buffer>, script: Script): Promise<void> {
  const { pieces = [], tokens = defaultTokens, pauseMs = 0, before } = script
  const type = wire === bedrockWire ? 'application/vnd.amazon.eventstream' : 'text/event-stream'
  response.writeHead(200, { 'content-type': type })
  if (pieces.length === 0 && script.ending === 'hang') return void response.flushHeaders()
  for (const text of wire.begin(tokens ?? defaultTokens)) response.write(text)
  for (const [index, piece] of pieces.entries()) {
    await before?.(index)
    // Written separately, so that they arrive separately.
    await pause(pauseMs)
    response.write(wire.text(piece))
  }
  await pause(pauseMs)
  if (script.ending === 'hang') return
  if (script.ending === 'reset') return void response.destroy()
  if (script.ending === 'cut') return void response.end()
  if (script.ending === 'error') return void response.end(wire.error)
  if (script.ending === 'done') return void response.end('data: [DONE]')
  if (script.ending === 'garbage') return void response.end('data: {"no json\n\n')
  for (const part of wire.end(tokens ?? undefined)) response.write(part)
  response.end()
}

function json(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function refuse(response: ServerResponse, { status, headers, body }: Refusal): void {
  json(response, body ?? { error: { message: 'refused', type: 'stub_error' } }, status, headers)
}
