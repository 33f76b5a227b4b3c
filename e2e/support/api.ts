import { openSync, writeSync } from 'node:fs'
import { exchange } from './exchange.ts'
import { adminToken } from './server.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The parsed body; undefined if it is not JSON. Untyped, because tests check its form. */
  // biome-ignore lint/suspicious/noExplicitAny: the suite checks shapes at run time
  body: any
}

export interface Call {
  /** Sent as JSON, unless it is a form (multipart or urlencoded) or a text. */
  body?: unknown
  headers?: Record<string, string>
}

const callLog = process.env.CAIRN_CALL_LOG ? openSync(process.env.CAIRN_CALL_LOG, 'a') : undefined

/** Every call is logged, so that the test run can check which endpoints were called. */
function note(method: string, path: string, status: number): void {
  if (callLog !== undefined) writeSync(callLog, `${method} ${path.split('?')[0]} ${status}\n`)
}

async function encode(body: unknown): Promise<{ bytes?: Buffer; headers: Record<string, string> }> {
  if (body === undefined) return { headers: {} }
  if (body instanceof FormData || body instanceof URLSearchParams) {
    const encoded = new Response(body)
    const type = encoded.headers.get('content-type') ?? ''
    return { bytes: Buffer.from(await encoded.arrayBuffer()), headers: { 'content-type': type } }
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { bytes: Buffer.from(text), headers: { 'content-type': 'application/json' } }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function toAnswer(status: number, headers: Headers, text: string): Answer {
  return { status, headers, text, body: parse(text) }
}

/** A client of a server, with its address and credential. */
export class Api {
  readonly url: string
  readonly credential: Record<string, string>

  constructor(url: string, credential: Record<string, string> = {}) {
    this.url = url
    this.credential = credential
  }

  static admin(url: string): Api {
    return new Api(url, { 'x-admin-token': adminToken })
  }

  withKey(key: string): Api {
    return new Api(this.url, { authorization: `Bearer ${key}` })
  }

  async call(method: string, path: string, { body, headers }: Call = {}): Promise<Answer> {
    const encoded = await encode(body)
    const answer = await exchange(this.url + path, {
      method,
      headers: { ...encoded.headers, ...this.credential, ...headers },
      body: encoded.bytes,
    })
    note(method, path, answer.status)
    return toAnswer(answer.status, answer.headers, answer.text)
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path)
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.call('POST', path, { body })
  }

  /** Sends a request; throws an error with the response if its status is not 2xx. */
  async ok(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.call(method, path, { body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer
  }
}

/** A project with a key, and a published chat of it with a key. */
export interface Tenant {
  projectId: string
  projectKey: string
  project: Api
  chatId: string
  chatKey: string
  chat: Api
}

export async function createTenant(url: string, permissions?: string[]): Promise<Tenant> {
  const admin = Api.admin(url)
  const { project_id } = (await admin.ok('POST', '/v1/console/projects', { name: 'a project' })).body
  const { api_key: projectKey } = (
    await admin.ok('POST', `/v1/console/projects/${project_id}/keys`, { permissions })
  ).body
  const chat = await admin.ok('POST', `/v1/console/projects/${project_id}/chats`, {
    title: 'a chat',
    publish: true,
  })
  const { chat_id } = chat.body
  const { api_key: chatKey } = (await admin.ok('POST', `/v1/console/chats/${chat_id}/keys`, { permissions }))
    .body
  return {
    projectId: project_id,
    projectKey,
    project: admin.withKey(projectKey),
    chatId: chat_id,
    chatKey,
    chat: admin.withKey(chatKey),
  }
}

/** Sets a price of the project; returns it with its id. */
export async function addPrice(admin: Api, projectId: string): Promise<{ price_id: string }> {
  const price = { model: 'acme-1', start_date: '2024-01-01', input: 1, output: 2 }
  return (await admin.ok('PUT', `/v1/console/projects/${projectId}/prices`, price)).body
}

/** A webhook with an unreachable address, and a delivery of it. */
export async function createWebhook(
  url: string,
  projectId: string,
): Promise<{ webhook_id: string; delivery_id: string }> {
  const admin = Api.admin(url)
  const body = { url: 'https://hooks.invalid/cairn' }
  const { webhook_id } = (await admin.ok('POST', `/v1/console/projects/${projectId}/webhooks`, body)).body
  const { delivery_id } = (await admin.ok('POST', `/v1/console/webhooks/${webhook_id}/test`)).body
  return { webhook_id, delivery_id }
}

export function uploadForm(filename: string, content: string | Uint8Array, scopeValues?: unknown): FormData {
  const form = new FormData()
  form.set('file', new Blob([content as string | Uint8Array<ArrayBuffer>]), filename)
  if (scopeValues !== undefined) form.set('scope_values', JSON.stringify(scopeValues))
  return form
}

export interface SentEvent {
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: the suite checks shapes at run time
  data: any
}

/** The events of a complete text/event-stream body. */
export function parseEvents(text: string): SentEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => JSON.parse(block.slice('data: '.length)) as SentEvent)
}
