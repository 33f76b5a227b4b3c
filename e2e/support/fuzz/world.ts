import { randomUUID } from 'node:crypto'
import { Api, createTenant, type Tenant, uploadForm } from '../api.ts'
import { signIn } from '../applications.ts'
import { someIssuer } from '../issuer.ts'
import type { Ids } from '../route.ts'
import { addressOf, credentialOf, freshBody } from '../route-requests.ts'
import { jsonRoutes } from '../routes.ts'
import { adminToken } from '../server.ts'
import { createIds } from '../state.ts'

const everything = ['ingest', 'read', 'write', 'query', 'admin']

/** A tenant with one resource of every kind, and a unique word in all of its texts. */
export interface Side {
  tenant: Tenant
  ids: Ids
  marker: string
  /** A user of its application. */
  user: Api
  /** An answer to this user. */
  userAnswerId: string
  /** A key of its project with only the permission `read`. */
  reader: string
}

export interface World {
  url: string
  sides: readonly [Side, Side]
  /** A word in the private files of users; no one else may read it, including the administrator. */
  privateMarker: string
  /** A word in stored secrets; no response may contain it. */
  secretMarker: string
}

/** Fields of the sample bodies with arbitrary text. */
const textFields = new Set(
  [
    ['name', 'title', 'app_name', 'description', 'notes', 'comment', 'any', 'filename', 'custom_prompt'],
    ['input', 'output', 'expected_output', 'query', 'expected_answer', 'category', 'question', 'text'],
    ['pdf_text', 'prompt', 'error'],
  ].flat(),
)

function marked(value: unknown, marker: string): unknown {
  if (Array.isArray(value)) return value.map((item) => marked(item, marker))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, child]) => {
    const isText = textFields.has(name) && typeof child === 'string'
    return [name, isText ? `${marker} ${child}` : marked(child, marker)]
  })
  return Object.fromEntries(entries)
}

/** Sends the sample of every route that writes to a tenant, with the marker in its texts. */
async function plant({ tenant, ids, marker }: Side): Promise<void> {
  let planted = 0
  for (const route of jsonRoutes) {
    if (route.ofServer || route.destroys || route.permission === 'query') continue
    const api = new Api(tenant.project.url, credentialOf(route, tenant, adminToken))
    const body = marked(freshBody(route, ids), marker)
    const { status } = await api.call(route.method, addressOf(route, ids), { body })
    if (status < 300) planted++
  }
  if (planted < 15) throw new Error(`only ${planted} routes took a body with the marker`)
  const form = uploadForm(`${marker}.txt`, `The sky of ${marker} is up.`)
  await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)
}

async function createSide(url: string, privateMarker: string): Promise<Side> {
  const tenant = await createTenant(url, everything)
  const admin = Api.admin(url)
  const keys = `/v1/console/projects/${tenant.projectId}/keys`
  const { api_key: reader } = (await admin.ok('POST', keys, { permissions: ['read'] })).body
  const ids = await createIds(tenant)
  const issuer = await someIssuer()
  const user = await signIn(url, ids.app_id, issuer, 'ann')
  const other = await signIn(url, ids.app_id, issuer, 'bob')
  const form = uploadForm(`${privateMarker}.txt`, `The sky of ${privateMarker} is up.`)
  await other.ok('POST', '/v1/me/chats/files/upload', form)
  const messages = JSON.stringify([{ role: 'user', content: 'What is up?' }])
  const asked = await user.ok('POST', '/v1/me/chats/query', new URLSearchParams({ messages }))
  const userAnswerId: string = asked.body.answer_id
  const side = { tenant, ids, marker: `marker${randomUUID().slice(0, 8)}`, user, userAnswerId, reader }
  await plant(side)
  return side
}

export async function createWorld(url: string): Promise<World> {
  const privateMarker = `private${randomUUID().slice(0, 8)}`
  const secretMarker = `secret${randomUUID().slice(0, 8)}`
  const [first, second] = [await createSide(url, privateMarker), await createSide(url, privateMarker)]
  const admin = Api.admin(url)
  const provider = { api_key: `sk-${secretMarker}-0000`, base_url: 'http://127.0.0.1:9/v1' }
  await admin.ok('PUT', '/v1/console/providers/anthropic', provider)
  const target = { type: 'http', url: 'https://target.invalid/ask', headers: { 'x-key': secretMarker } }
  for (const { tenant } of [first, second]) {
    await tenant.project.ok('POST', `/v1/${tenant.projectId}/testing/suites`, { name: 'sealed', target })
  }
  return { url, sides: [first, second], privateMarker, secretMarker }
}

/** The ids of a separate tenant, for a request that may delete all of them, with a key of that tenant. */
export async function createExpendable(url: string): Promise<{ tenant: Tenant; ids: Partial<Ids> }> {
  const tenant = await createTenant(url, everything)
  return { tenant, ids: { project_id: tenant.projectId, chat_id: tenant.chatId } }
}
