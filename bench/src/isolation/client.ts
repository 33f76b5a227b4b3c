import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'

/** A project and its chat, with the credentials of a client. */
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

/** Few idle connections, because leftover connections of finished requests would count as leftovers in the server. */
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

/** Sends a request and reads the whole response. Status 0 means that the connection failed. */
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
      // Responses may have any size; only short ones are kept.
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

/** A call to a path below the project. */
export function inProject(target: Target, method: string, path: string, body?: Body): Promise<Answer> {
  return call(target.url, method, `/v1/${target.projectId}/${path}`, withKey(target.projectKey), body)
}

/** A call to a path below the chat. */
export function inChat(target: Target, method: string, path: string, body?: Body): Promise<Answer> {
  return call(target.url, method, `/v1/${target.chatId}/${path}`, withKey(target.chatKey), body)
}

/** A call with the admin token. */
export function asAdmin(target: Target, method: string, path: string, body?: Body): Promise<Answer> {
  return call(target.url, method, path, { 'x-admin-token': target.adminToken }, body)
}

/** The parsed body of a successful response; throws otherwise. */
export function parsed<T>({ status, text }: Answer): T {
  if (status < 200 || status > 299) throw new Error(`${status} ${text.slice(0, 300)}`)
  return JSON.parse(text) as T
}

/** Opens a socket to the server and writes the head of a request. */
export function openSocket({ url, projectKey }: Target, line: string, headers: string[] = []): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  const head = [`${line} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${projectKey}`, ...headers]
  socket.write(`${head.join('\r\n')}\r\n`)
  return socket
}
