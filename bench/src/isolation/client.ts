import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'

/** A project and a chat of it, as one client sees them. */
export interface Target {
  url: string
  adminToken: string
  projectId: string
  projectKey: string
  chatId: string
  chatKey: string
}

export interface Body {
  type: string
  bytes: Uint8Array
}

export interface Answer {
  status: number
  text: string
}

/** Few idle connections: those of requests that piled up would count as left behind in the server. */
const agent = new Agent({ keepAlive: true, maxFreeSockets: 8 })
const keptParts = 200

export function jsonBody(value: unknown): Body {
  return textBody(JSON.stringify(value))
}

export function textBody(json: string): Body {
  return { type: 'application/json', bytes: Buffer.from(json) }
}

export function fileBody(filename: string, content: Uint8Array | string): Body {
  const boundary = 'the-boundary-of-a-file'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`
  const bytes = Buffer.concat([
    Buffer.from(head),
    typeof content === 'string' ? Buffer.from(content) : content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { type: `multipart/form-data; boundary=${boundary}`, bytes }
}

/** A request and its answer, read to the end. Status 0 when the connection failed. */
export function call(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Body,
): Promise<Answer> {
  const sent = {
    ...headers,
    ...(body && { 'content-type': body.type, 'content-length': String(body.bytes.length) }),
  }
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, text: error.message })
    const outgoing = request(url + path, { method, headers: sent, agent }, (response) => {
      const parts: Buffer[] = []
      // Answers may be of any size; only short ones are looked into.
      response.on('data', (part: Buffer) => void (parts.length < keptParts && parts.push(part)))
      response.on('error', failed)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      )
    })
    outgoing.on('error', failed)
    outgoing.end(body?.bytes)
  })
}

function withKey(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

/** A call below the project. */
export function inProject(target: Target, method: string, path: string, body?: Body): Promise<Answer> {
  return call(target.url, method, `/v1/${target.projectId}/${path}`, withKey(target.projectKey), body)
}

/** A call below the chat. */
export function inChat(target: Target, method: string, path: string, body?: Body): Promise<Answer> {
  return call(target.url, method, `/v1/${target.chatId}/${path}`, withKey(target.chatKey), body)
}

/** A call of the administrator's. */
export function asAdmin(target: Target, method: string, path: string, body?: Body): Promise<Answer> {
  return call(target.url, method, path, { 'x-admin-token': target.adminToken }, body)
}

/** The body of an answer that has to be a success. */
export function parsed<T>({ status, text }: Answer): T {
  if (status < 200 || status > 299) throw new Error(`${status} ${text.slice(0, 300)}`)
  return JSON.parse(text) as T
}

/** A socket to the server on which the head of a request is written. */
export function openSocket({ url, projectKey }: Target, line: string, headers: string[] = []): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  const head = [`${line} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${projectKey}`, ...headers]
  socket.write(`${head.join('\r\n')}\r\n`)
  return socket
}
