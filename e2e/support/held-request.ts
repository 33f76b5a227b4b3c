import { once } from 'node:events'
import { Agent, type ClientRequest, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, toAnswer } from './api.ts'

/** A separate client that keeps its connections open, like most clients. */
export function keepAliveAgent(): Agent {
  return new Agent({ keepAlive: true })
}

export interface HeldCall {
  path: string
  /** JSON or a form. */
  body: unknown
  headers: Record<string, string>
}

/** A POST whose headers and half of whose body are sent; `finish` sends the rest. */
export class HeldRequest {
  readonly #request: ClientRequest
  readonly #rest: Buffer
  readonly #response: Promise<unknown[]>

  private constructor(call: ClientRequest, rest: Buffer) {
    this.#request = call
    this.#rest = rest
    this.#response = once(call, 'response')
    // A test that abandons the request does not have to await its end.
    this.#response.catch(() => {})
  }

  static async begin(url: string, call: HeldCall, agent: Agent): Promise<HeldRequest> {
    const content = call.body instanceof FormData ? call.body : JSON.stringify(call.body)
    const encoded = new Response(content)
    const type = call.body instanceof FormData ? encoded.headers.get('content-type') : 'application/json'
    const bytes = Buffer.from(await encoded.arrayBuffer())
    const half = Math.floor(bytes.length / 2)
    const outgoing = request(url + call.path, {
      method: 'POST',
      agent,
      headers: { ...call.headers, 'content-type': type ?? '', 'content-length': String(bytes.length) },
    })
    const held = new HeldRequest(outgoing, bytes.subarray(half))
    await new Promise((resolve) => outgoing.write(bytes.subarray(0, half), resolve))
    // The server looks the credential up before it counts the request. On a busy machine this takes a while.
    await pause(250)
    return held
  }

  async finish(): Promise<Answer> {
    this.#request.end(this.#rest)
    const [response] = (await this.#response) as [
      NodeJS.ReadableStream & { statusCode: number; headers: object },
    ]
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part as Buffer)
    const headers = new Headers(response.headers as Record<string, string>)
    return toAnswer(response.statusCode, headers, Buffer.concat(parts).toString('utf8'))
  }

  abandon(): void {
    this.#request.on('error', () => {}).destroy()
  }
}
