import { uploadForm } from '../api.ts'
import type { Ids } from '../route.ts'
import { addressOf, credentialOf, freshBody } from '../route-requests.ts'
import { adminToken } from '../server.ts'
import { freshIds } from '../state.ts'
import { strangeIds } from '../strange-ids.ts'
import type { Dice } from './dice.ts'
import { mutatedForm, validForm } from './mutate-form.ts'
import { mutatedJson } from './mutate-json.ts'
import type { Operation } from './operations.ts'
import { oddText, oddValue, schemaValue } from './values.ts'
import { createExpendable, type Side, type World } from './world.ts'

/** How a request is sent: complete, truncated, aborted before its response, or twice in one write. */
type Manner = 'whole' | 'cut' | 'left' | 'pipelined'

export interface FuzzRequest {
  operation: Operation
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
  manner: Manner
  /** The owner of its credential. */
  caller: Side | 'admin' | 'nobody'
  /** Its path contains only ids of the other tenant. */
  isTrespass: boolean
  /** Its resource is deleted concurrently, so a streamed answer may be aborted. */
  isRacing: boolean
}

type CredentialKind = 'right' | 'none' | 'wrong' | 'reader' | 'otherKind'

const wrongCredentials: Record<string, string>[] = [
  { authorization: 'Bearer tk_0000000000000000_0000000000000000000000' },
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.' },
  { authorization: 'Basic YTpi' },
  { authorization: 'Bearer' },
  { authorization: `Bearer ${'x'.repeat(4000)}` },
  { 'x-admin-token': 'x'.repeat(40) },
  { cookie: 'cairn_session=nothing; __proto__=1' },
]

const oddHeaders: Record<string, string>[] = [
  { 'idempotency-key': 'the-same' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'idempotency-key': '' },
  { accept: 'text/html;q=0, */*;q=nothing' },
  { 'accept-encoding': 'br, gzip;q=9, nonsense' },
  { 'content-encoding': 'gzip' },
  { origin: 'null' },
  { 'x-forwarded-for': "'; --, ::1, 10.0.0.1" },
  { range: 'bytes=0-,5-1' },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'never' },
  { 'last-event-id': '\u00ff' },
  { 'x-app-id': 'app_nothing' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'application/json; charset=utf-7' },
  { 'content-type': ';;;' },
  { te: 'trailers, nonsense' },
  { 'x-long': 'x'.repeat(12_000) },
]

const oddQueries = [
  'limit=',
  'limit=1e9',
  'a[b]=c&a[]=1',
  '__proto__=1',
  '%00=%ff',
  '=',
  'x=%E0%A4%A',
  '&&&',
  'q=%00',
]

function isDestroying({ method, route }: Operation): boolean {
  return method === 'DELETE' || route?.destroys === true
}

function credential(dice: Dice, operation: Operation, side: Side, kind: CredentialKind) {
  const { route, isUsers } = operation
  const { tenant, user, reader } = side
  if (kind === 'none') return { headers: {}, caller: 'nobody' as const }
  if (kind === 'wrong') return { headers: dice.pick(wrongCredentials), caller: 'nobody' as const }
  if (kind === 'reader') return { headers: { authorization: `Bearer ${reader}` }, caller: side }
  if (kind === 'otherKind') {
    const keys = [tenant.projectKey, tenant.chatKey].map((key) => ({ authorization: `Bearer ${key}` }))
    return { headers: dice.pick([...keys, user.credential]), caller: side }
  }
  if (isUsers || route === undefined) return { headers: user.credential, caller: side }
  if (route.credential === 'none') return { headers: {}, caller: 'nobody' as const }
  if (route.credential === 'admin-or-chat-key' && route.chat !== 'none' && dice.chance(0.5)) {
    return { headers: { authorization: `Bearer ${tenant.chatKey}` }, caller: side }
  }
  const headers = credentialOf(route, tenant, adminToken)
  return { headers, caller: 'x-admin-token' in headers ? ('admin' as const) : side }
}

function queryText(dice: Dice, { query, route }: Operation, ids: Partial<Ids>, isValid: boolean): string {
  const needed = route?.query ? (addressOf(route, ids as Ids).split('?')[1] ?? '') : ''
  if (isValid) return needed
  const parts = needed !== '' && dice.chance(0.8) ? [needed] : []
  for (const { name, schema } of query) {
    if (!dice.chance(Math.min(0.4, 3 / query.length))) continue
    const value = dice.chance(0.6)
      ? schemaValue(dice, schema, name)
      : dice.chance(0.5)
        ? oddText(dice)
        : oddValue(dice)
    // Longer URLs are rejected before a route is found.
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    parts.push(`${name}=${encodeURIComponent(text.slice(0, 4000).toWellFormed())}`)
  }
  if (dice.chance(0.1)) parts.push(dice.pick(oddQueries))
  if (dice.chance(0.1)) parts.push(`attr.${encodeURIComponent(oddText(dice).slice(0, 300).toWellFormed())}=a`)
  return parts.join('&')
}

function encodeBody(dice: Dice, operation: Operation, { ids, side }: Setting, isValid: boolean) {
  const { json, form, route, method } = operation
  if (form) return isValid ? validForm(dice, operation, side) : mutatedForm(dice, operation, side)
  const type = 'application/json'
  const valid = (route && freshBody(route, ids)) as Record<string, unknown> | undefined
  if (json && isValid) return { type, body: Buffer.from(JSON.stringify(valid)) }
  if (json) {
    const base = valid && dice.chance(0.8) ? valid : schemaValue(dice, json)
    const body = mutatedJson(dice, base as object)
    // Mutated bodies may have megabytes; other tests send bodies of that size.
    return { type, body: body.length > 1_000_000 ? body.subarray(0, 1_000_000) : body }
  }
  if (isValid || dice.chance(method === 'GET' ? 0.97 : 0.85)) return undefined
  return { type, body: mutatedJson(dice, {}) }
}

/** A tenant whose data the request may delete, with the ids of the route. */
async function expendable(world: World, operation: Operation, side: Side): Promise<Side> {
  if (operation.isUsers) {
    const form = uploadForm('note.txt', `A note that is deleted: ${performance.now()}.`)
    const { status, body } = await side.user.call('POST', '/v1/me/chats/files/upload', { body: form })
    // An earlier request may have disabled the application.
    return status === 200 ? { ...side, ids: { ...side.ids, file_id: body.file_id } } : side
  }
  if (operation.route === undefined || operation.inPath.length === 0) return side
  const { tenant, ids } = await createExpendable(world.url)
  return { ...side, tenant, ids: await freshIds(tenant, operation.route, ids) }
}

const noSide = { project_id: 'nope', chat_id: 'nope' } as Ids

export interface Choice {
  dice: Dice
  world: World
  operation: Operation
  /** A request according to the API description, with the required credential. */
  isValid: boolean
}

/** All choices that make up a request. */
interface Setting extends Choice {
  /** The owner of its credential. */
  side: Side
  /** The owner of its ids. */
  ids: Ids
  kind: CredentialKind
}

function build(setting: Setting): FuzzRequest & { isOwn: boolean } {
  const { dice, operation, isValid, side, ids, kind } = setting
  const { headers, caller } = credential(dice, operation, side, kind)
  const named = { ...ids, ...operation.route?.fixed } as Record<string, string | undefined>
  let isOwn = true
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (isValid || !dice.chance(0.08)) return named[name] ?? 'nope'
    isOwn = false
    return dice.pick(strangeIds)
  })
  const query = queryText(dice, operation, ids, isValid)
  const encoded = encodeBody(dice, operation, setting, isValid)
  const odd = !isValid && dice.chance(0.12) ? dice.pick(oddHeaders) : {}
  const shares = { whole: 90, left: 4, pipelined: 3, cut: encoded ? 3 : 0 }
  return {
    operation,
    method: operation.method,
    path: query === '' ? path : `${path}?${query}`,
    headers: { ...(encoded && { 'content-type': encoded.type }), ...headers, ...odd },
    body: encoded?.body,
    manner: isValid ? 'whole' : dice.weighted(shares),
    caller,
    isTrespass: false,
    isRacing: false,
    isOwn,
  }
}

/** A request that deletes a resource, and, unless it must succeed, concurrent requests for the same resource. */
async function makeRace(
  choice: Choice,
  home: Side,
  operations: readonly Operation[],
): Promise<FuzzRequest[]> {
  const { dice, world, operation } = choice
  const side = await expendable(world, operation, home)
  const setting = { ...choice, side, ids: side.ids, kind: 'right' } as const
  const taken = operation.inPath.at(-1)
  const alike = operations.filter(({ inPath }) => taken !== undefined && inPath.includes(taken))
  const count = choice.isValid || alike.length === 0 ? 0 : dice.below(5)
  const rivals = Array.from({ length: count }, () => dice.pick(alike))
  return [build(setting), ...rivals.map((rival) => build({ ...setting, operation: rival, isValid: true }))]
}

/** The next concurrent requests of an operation, mostly one. Resources that they may delete are created first. */
export async function makeRequests(choice: Choice, operations: readonly Operation[]): Promise<FuzzRequest[]> {
  const { dice, world, operation, isValid } = choice
  const isFirst = dice.chance(0.5)
  const home = world.sides[isFirst ? 0 : 1]
  const other = world.sides[isFirst ? 1 : 0]
  const destroys = isDestroying(operation)
  if (destroys && (isValid || dice.chance(0.15))) return makeRace(choice, home, operations)
  const kind = isValid ? 'right' : dice.weighted({ right: 80, none: 3, wrong: 5, reader: 5, otherKind: 7 })
  const isStranger = !isValid && dice.chance(0.15)
  // The administrator could delete everything, so its requests use only the resources created above.
  const isKept = destroys && !isStranger
  const ids = isKept ? noSide : isStranger ? other.ids : home.ids
  const request = build({ ...choice, side: home, ids, kind })
  if (destroys && request.caller === 'admin') return [build({ ...choice, side: home, ids: noSide, kind })]
  const isTrespass =
    isStranger && request.isOwn && operation.inPath.length > 0 && typeof request.caller === 'object'
  return [{ ...request, isTrespass }]
}
