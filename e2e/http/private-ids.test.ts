import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { registerApp, signIn } from '../support/applications.ts'
import { databases } from '../support/databases.ts'
import { type Issuer, startIssuer } from '../support/issuer.ts'
import { expectRefusal } from '../support/refusal.ts'
import type { Ids, Route } from '../support/route.ts'
import { addressOf, freshBody } from '../support/route-requests.ts'
import { routeName, routes } from '../support/routes.ts'
import { type Server, startServer } from '../support/server.ts'
import { createIds } from '../support/state.ts'
import { rowsBehind, tamper } from '../support/tamper.ts'

const all = ['ingest', 'read', 'write', 'query', 'admin']
const files = '/v1/me/chats/files'

/** The parameters with the id of a file or of a part of a file. */
const names = ['file_id', 'node_id', 'other_node_id', 'relationship_id'] as const
const namesOf = ({ path, body }: Route) =>
  names.filter((name) => JSON.stringify([path, body]).includes(`{${name}}`))
const taking = routes.filter((route) => namesOf(route).length > 0)

/** An id that differs in its last character. */
const nearly = (id: string) => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')

/** Status and body of a response, without the id of its own request. */
function shownBy({ status, text, headers }: Answer): [number, string] {
  return [status, text.replace(headers.get('x-request-id') ?? '', '')]
}

describe.each(databases)("ids of end users' files, on $database", ({ env: environment }) => {
  let issuer: Issuer
  let server: Server
  let place: { dataDir: string; env: Record<string, string> }
  let tenant: Tenant
  let ann: Api
  let callers: Record<Route['credential'], Api[]>
  let ids: Ids
  /** Ids of Ann's file and its parts, by the kind of id. */
  let theirs: Record<'file' | 'node' | 'relationship', string[]>
  /** A file of an older version, whose id contains the user and the file name. */
  let oldId: string

  const uploadNote = async (name: string, text: string) => {
    const note = uploadForm(name, `${text}\n\n${'Of the heron in Oban there is more. '.repeat(120)}`)
    return (await ann.ok('POST', `${files}/upload`, note)).body.file_id as string
  }

  beforeAll(async () => {
    issuer = await startIssuer()
    const env = { ...(await environment()), CAIRN_RELATIONSHIPS: 'off' }
    server = await startServer({ env })
    place = { dataDir: server.dataDir, env }
    tenant = await createTenant(server.url, all)
    const other = await createTenant(server.url, all)
    const admin = Api.admin(server.url)
    const { headers } = await admin.ok('POST', '/v1/console/session')
    const session = new Api(server.url, { cookie: headers.get('set-cookie') ?? '', origin: server.url })
    const keys = `/v1/console/chats/${tenant.chatId}/keys`
    const lesser = admin.withKey((await admin.ok('POST', keys, {})).body.api_key)
    const ofChat = [tenant.chat, lesser, session]
    callers = {
      none: [],
      admin: [admin],
      'project-key': [tenant.project],
      'chat-key': ofChat,
      'admin-or-chat-key': [admin, other.chat, ...ofChat],
    }
    ids = await createIds(tenant)
    const { app_id } = await registerApp(server.url, issuer.url, { chat_id: tenant.chatId })
    ann = await signIn(server.url, app_id, issuer, 'ann')
    const { user_id, chat_id } = (await ann.ok('GET', '/v1/me/profile')).body
    const fileId = await uploadNote('diary.txt', 'Dear diary.')
    const renamed = await uploadNote('letter.txt', 'Dear letter.')
    oldId = `v1_${user_id}_letter.txt_1760000000`
    const tables = [
      'document_rows',
      'chunk_rows',
      'document_text_parts',
      'document_segments',
      'document_vectors',
    ]
    await tamper(
      place,
      ...tables.map((table) => `update ${table} set file_id = '${oldId}' where file_id = '${renamed}'`),
    )
    const chunks = await rowsBehind(
      place,
      `select chunk_id from chunks where file_id = '${fileId}' order by chunk_order`,
    )
    const [first = '', second = ''] = chunks.map(({ chunk_id }) => String(chunk_id))
    const stored = 'rel_0mi0000000storedbyus'
    await tamper(
      place,
      `insert into relationships (chat_id, relationship_id, source_id, target_id, type, properties) values
        ('${chat_id}', '${stored}', '${first}', '${second}', 'SUPPORTS', '{}')`,
    )
    const tail = first.slice('chk_'.length)
    theirs = {
      file: [fileId, oldId],
      node: [fileId, oldId, first, second],
      relationship: [`rel_${tail}c`, `rel_${tail}n`, stored],
    }
  })
  afterAll(async () => {
    await server?.stop()
    await issuer?.close()
  })

  const kindOf = (name: string) =>
    name.includes('node') ? 'node' : name === 'file_id' ? 'file' : 'relationship'

  it('contain nothing of the user, the file or the time', async () => {
    const form = new FormData()
    for (const name of ['diary.txt', 'diary2.txt']) form.append('files', new Blob([`In ${name}`]), name)
    const { results } = (await ann.ok('POST', `${files}/upload-bulk`, form)).body
    const made = [theirs.file[0], ...results.map((result: { file_id: string }) => result.file_id)]
    for (const id of made) expect(id).toMatch(/^v1_file_[0-9a-z]{26}$/)
    // Ids that depend on the time would have the same prefix.
    expect(new Set(made.map((id) => id.slice(0, 'v1_file_'.length + 4))).size).toBe(3)
    for (const { file_id } of results) await ann.ok('DELETE', `${files}/${file_id}`)
  })

  it.each(taking.map((route) => ({ name: routeName(route), route })))(
    'get the same response as unknown ids from $name',
    async ({ route }) => {
      for (const caller of callers[route.credential]) {
        for (const name of namesOf(route)) {
          for (const id of theirs[kindOf(name)]) {
            const call = (value: string) => {
              const changed = { ...ids, [name]: value }
              const body = freshBody(route, changed)
              return caller.call(route.method, addressOf(route, changed), body === undefined ? {} : { body })
            }
            const [right, wrong, nonsense] = [await call(id), await call(nearly(id)), await call('nonsense')]
            expectRefusal(right, { status: 404, project: false, names: 'not found' })
            for (const answer of [wrong, nonsense]) {
              expect(shownBy(answer)).toEqual(shownBy(right))
              expect([...answer.headers.keys()]).toEqual([...right.headers.keys()])
            }
          }
        }
      }
      const kept = (await ann.ok('GET', files)).body.files.map((file: { file_id: string }) => file.file_id)
      expect(kept.toSorted()).toEqual(theirs.file.toSorted())
    },
  )

  it('cannot be distinguished from unknown ids by requests for a chunk or for a document with the same id', async () => {
    const chunks = `/v1/${tenant.chatId}/files/${ids.file_id}/chunks?chunk_id=`
    const create = (pdf_id: string) =>
      tenant.chat.post('/create_nodes_and_embeddings', {
        pdf_text: 'A text.',
        pdf_id,
        chat_id: tenant.chatId,
        filename: 'a.txt',
      })
    for (const id of theirs.node) {
      const [right, wrong] = [await tenant.chat.get(chunks + id), await tenant.chat.get(chunks + nearly(id))]
      expectRefusal(right, { status: 404, project: false, names: 'not found' })
      expect(shownBy(wrong)).toEqual(shownBy(right))
      const [taken, free] = [await create(id), await create(nearly(id))]
      expectRefusal(taken, { status: 400, project: false, names: 'pdf_id' })
      expect(shownBy(free)).toEqual(shownBy(taken))
    }
  })

  it('of the old format still work for their owner', async () => {
    const list = (await ann.ok('GET', files)).body.files
    expect(list.find((file: { file_id: string }) => file.file_id === oldId)?.filename).toBe('letter.txt')
    expect((await ann.ok('DELETE', `${files}/${oldId}`)).body).toMatchObject({
      file_id: oldId,
      filename: 'letter.txt',
    })
  })
})
