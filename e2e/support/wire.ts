import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type Answer, toAnswer } from './api.ts'

export interface WireCall {
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Keeps the connection; by default, each call has its own. */
  agent?: Agent
}

/** Sends a request with unchanged path and headers. `fetch` would normalize both, and sends no body with GET. */
export async function wireCall(
  url: string,
  method: string,
  path: string,
  { headers = {}, body, agent }: WireCall = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const all = { ...length, ...headers }
  const call = request({ hostname, port, method, path, headers: all, agent: agent ?? false })
  call.end(body)
  const [response] = await once(call, 'response')
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  const received = new Headers(response.headers as Record<string, string>)
  return toAnswer(response.statusCode, received, Buffer.concat(parts).toString('utf8'))
}

/** A connection to a server. A test sees the end of a connection, not the error that caused it. */
export function openSocket(url: string, options: { allowHalfOpen?: boolean } = {}): Socket {
  const { hostname, port } = new URL(url)
  return connect({ port: Number(port), host: hostname, ...options }).on('error', () => {})
}

/** The text of an HTTP request. A length in the headers replaces the real length of the body. */
export function requestText(
  method: string,
  path: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
): string {
  const length = body ? { 'content-length': String(Buffer.byteLength(body)) } : {}
  const lines = Object.entries({ host: 'x', ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Sends a request on a connection of its own, on which the caller may read the response. */
export function openRequest(url: string, ...request: Parameters<typeof requestText>): Socket {
  const socket = openSocket(url)
  socket.write(requestText(...request))
  return socket
}

/** The first complete response of a server on a socket, or the received part before the end of the socket. */
export async function socketTalk(
  url: string,
  talk: (socket: Socket) => void | Promise<void>,
): Promise<Answer> {
  const socket = openSocket(url)
  await once(socket, 'connect')
  let text = ''
  const complete = new Promise<void>((resolve) => {
    socket.on('data', (part) => {
      text += part
      const length = /content-length: (\d+)/i.exec(text)?.[1]
      const start = text.indexOf('\r\n\r\n')
      if (length && start !== -1 && Buffer.byteLength(text.slice(start + 4)) >= Number(length)) resolve()
    })
    socket
      .on('end', () => resolve())
      .on('close', () => resolve())
      .on('error', () => resolve())
  })
  await talk(socket)
  await complete
  socket.destroy()
  return parseAnswer(text)
}

function parseAnswer(text: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return toAnswer(Number(first.split(' ')[1] ?? 0), headers, rest.join('\r\n\r\n'))
}

/** All responses of a server to these bytes, until it closes the connection. */
export async function answersTo(url: string, text: string): Promise<Answer[]> {
  const socket = openSocket(url)
  let received = ''
  socket.on('data', (part) => (received += part))
  socket.write(text, 'latin1')
  await once(socket, 'close')
  return received
    .split(/^(?=HTTP\/1\.1 \d)/m)
    .filter((answer) => answer !== '')
    .map(parseAnswer)
}

/** A POST whose body goes on until the response arrives. */
export async function streamedCall(
  url: string,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: AsyncIterable<Uint8Array> },
): Promise<Answer> {
  const call = request(url + path, { method: 'POST', headers, agent: false })
  let response: IncomingMessage | undefined
  const responded = once(call, 'response').then(([first]) => {
    response = first
  })
  for await (const piece of body) {
    if (response) break
    // A socket that takes no more may stay so once the server has responded.
    if (!call.write(piece)) await Promise.race([once(call, 'drain'), responded])
  }
  await responded
  const parts: Buffer[] = []
  for await (const part of response ?? []) parts.push(part)
  call.destroy()
  const received = new Headers(response?.headers as Record<string, string>)
  return toAnswer(response?.statusCode ?? 0, received, Buffer.concat(parts).toString('utf8'))
}
