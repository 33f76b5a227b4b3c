import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { asUser, registerApp, signIn } from '../support/applications.ts'
import { sharedServers } from '../support/databases.ts'
import { type Issuer, startIssuer } from '../support/issuer.ts'
import { expectRefusal } from '../support/refusal.ts'
import { streamedCall } from '../support/wire.ts'

const upload = '/v1/me/chats/files/upload'
const bulk = '/v1/me/chats/files/upload-bulk'
const files = '/v1/me/chats/files'

describe.each(sharedServers)("end users' files, on $database", ({ server }) => {
  let issuer: Issuer
  let tenant: Tenant
  let appId: string
  let person = 0

  beforeAll(async () => {
    issuer = await startIssuer()
    tenant = await createTenant(server.url)
    appId = (await registerApp(server.url, issuer.url, { chat_id: tenant.chatId })).app_id
  })
  afterAll(async () => {
    await issuer?.close()
  })

  /** A new user, so that limits and duplicates of other tests do not apply. */
  const somebody = (app = appId) => {
    person += 1
    return signIn(server.url, app, issuer, `person-${person}`)
  }
  const profile = async (user: Api) => (await user.ok('GET', '/v1/me/profile')).body
  const texts = (fields: Record<string, string>) => new URLSearchParams(fields)

  it('are uploaded, listed and deleted, with the shapes of the contract', async () => {
    const ann = await somebody()
    const { user_id, chat_id } = await profile(ann)
    const uploaded = (await ann.ok('POST', upload, uploadForm('My notes.txt', 'The hawk lives in Oban.')))
      .body
    expect(uploaded).toEqual({
      success: true,
      filename: 'My notes.txt',
      file_id: expect.stringMatching(/^v1_file_[0-9a-z]{26}$/),
      chat_id,
      user_id,
      size_bytes: 23,
      processing_status: 'completed',
      privacy_guarantee: {
        permanent_storage: true,
        user_private_subchat: true,
        developer_cannot_access: true,
        oauth_validated: true,
      },
      message: expect.any(String),
    })
    expect((await ann.ok('GET', files)).body).toEqual({
      success: true,
      files: [
        {
          file_id: uploaded.file_id,
          filename: 'My notes.txt',
          upload_date: expect.stringMatching(/^\d{4}-.*Z$/),
          size_bytes: 23,
          chunk_count: 1,
          pages: null,
          scope_values: {},
        },
      ],
      total_files: 1,
      total_size_bytes: 23,
    })
    expect((await ann.ok('DELETE', `${files}/${uploaded.file_id}`)).body).toEqual({
      success: true,
      message: expect.any(String),
      file_id: uploaded.file_id,
      filename: 'My notes.txt',
      chunks_deleted: 1,
      size_bytes_freed: 23,
    })
    const again = await ann.call('DELETE', `${files}/${uploaded.file_id}`)
    expectRefusal(again, { status: 404, project: false, names: 'file' })
    expect((await ann.ok('GET', files)).body).toMatchObject({ files: [], total_files: 0 })
  })

  it('never get the id of a deleted file', async () => {
    const ann = await somebody()
    const ids = new Set<string>()
    // Some of these files are uploaded in the same second.
    for (let round = 1; round <= 8; round++) {
      const { file_id } = (await ann.ok('POST', upload, uploadForm('notes.txt', `Text ${round}`))).body
      await ann.ok('DELETE', `${files}/${file_id}`)
      ids.add(file_id)
    }
    expect(ids.size).toBe(8)
  })

  it.each([
    ['urlencoded', texts({ text_content: 'Plain %PDF text', content_name: 'a.pdf' })],
    [
      'multipart',
      (() => {
        const form = new FormData()
        form.set('content_name', 'a.pdf')
        form.set('text_content', 'Plain %PDF text')
        return form
      })(),
    ],
  ])('can be plain texts with any name, %s', async (_, form) => {
    const ann = await somebody()
    const { body } = await ann.ok('POST', upload, form)
    expect(body).toMatchObject({ filename: 'a.pdf', size_bytes: 15, processing_status: 'completed' })
  })

  it('can be texts of megabytes in both kinds of forms, up to the limit of a file', async () => {
    const ann = await somebody()
    const text = 'Ünder the bridge. '.repeat(110_000)
    const form = new FormData()
    form.set('text_content', text)
    form.set('content_name', 'long')
    const size_bytes = Buffer.byteLength(text)
    expect((await ann.ok('POST', upload, form)).body).toMatchObject({ size_bytes, filename: 'long' })
    const encoded = texts({ text_content: `${text}.`, content_name: 'long' })
    expect((await ann.ok('POST', upload, encoded)).body.size_bytes).toBe(size_bytes + 1)
    form.set('text_content', 'x'.repeat(5 * 1024 * 1024 + 1))
    expectRefusal(await ann.post(upload, form), { status: 413, project: false, names: 'text_content' })
  })

  it.each([upload, `${upload}-bulk`])(
    'are no larger than a form may be, of which the rest is not waited for: %s',
    async (path) => {
      const ann = await somebody()
      const field = path === upload ? 'text_content' : 'text_contents'
      const piece = Buffer.alloc(1024 * 1024, 'x')
      async function* endless() {
        while (true) {
          yield Buffer.from(`--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n`)
          for (let count = 0; count < 5; count++) yield piece
          yield Buffer.from('\r\n')
        }
      }
      const headers = { ...ann.credential, 'content-type': 'multipart/form-data; boundary=b' }
      const answer = await streamedCall(server.url, path, { headers, body: endless() })
      expectRefusal(answer, { status: 413, project: false, names: 'form' })
    },
  )

  it.each<[string, number, string, () => FormData | URLSearchParams]>([
    ['neither file nor text', 400, 'file', () => new FormData()],
    ['an empty urlencoded form', 400, 'file', () => texts({ x: 'y' })],
    ['a text without its name', 400, 'content_name', () => texts({ text_content: 'a' })],
    [
      'both',
      400,
      'text_content',
      () => {
        const form = uploadForm('a.txt', 'a')
        form.set('text_content', 'b')
        form.set('content_name', 'b.txt')
        return form
      },
    ],
    ['an unknown type', 415, 'type', () => uploadForm('a.exe', 'a')],
    ['no type', 415, 'type', () => uploadForm('a', 'a')],
    ['an empty file', 400, 'empty', () => uploadForm('a.txt', '')],
    ['a blank text', 400, '', () => texts({ text_content: '  \n', content_name: 'a' })],
    ['another format', 400, '', () => uploadForm('a.txt', '%PDF-1.7 x')],
    ['too large a file', 413, 'file', () => uploadForm('a.txt', 'x'.repeat(5 * 1024 * 1024 + 1))],
    [
      'scope values that are no JSON',
      400,
      'scope_values',
      () => texts({ text_content: 'a', content_name: 'a', scope_values: '{' }),
    ],
  ])('are rejected: %s', async (_, status, names, form) => {
    const ann = await somebody()
    expectRefusal(await ann.post(upload, form()), { status, project: false, names })
    expect((await ann.ok('GET', files)).body.total_files).toBe(0)
  })

  it('are rejected as JSON bodies', async () => {
    expectRefusal(await (await somebody()).post(upload, { text_content: 'a' }), {
      status: 415,
      project: false,
    })
  })

  it('can be uploaded in bulk, and each file has its own result', async () => {
    const ann = await somebody()
    const { user_id, chat_id } = await profile(ann)
    const form = new FormData()
    form.append('files', new Blob(['The first text.']), 'first.txt')
    form.append('files', new Blob(['x']), 'second.exe')
    form.append('files', new Blob(['']), 'third.txt')
    form.append('files', new Blob(['x'.repeat(5 * 1024 * 1024 + 1)]), 'fourth.txt')
    form.append('files', new Blob(['# The fifth']), 'fifth.md')
    const { body } = await ann.ok('POST', bulk, form)
    const good = (filename: string, size_bytes: number) => ({
      filename,
      success: true,
      file_id: expect.stringMatching(/^v1_file_/),
      size_bytes,
      processing_status: 'completed',
    })
    const bad = (filename: string) => ({
      filename,
      success: false,
      error: expect.any(String),
      file_id: null,
      size_bytes: expect.any(Number),
      processing_status: 'failed',
    })
    expect(body).toEqual({
      success: true,
      total_files: 5,
      successful_uploads: 2,
      failed_uploads: 3,
      total_size_bytes: 26,
      chat_id,
      user_id,
      results: [
        good('first.txt', 15),
        bad('second.exe'),
        bad('third.txt'),
        bad('fourth.txt'),
        good('fifth.md', 11),
      ],
      message: expect.any(String),
    })
    expect((await ann.ok('GET', files)).body.total_files).toBe(2)
  })

  it('can be uploaded in bulk as texts', async () => {
    const ann = await somebody()
    const list = (text_contents: unknown, content_names: unknown) =>
      texts({ text_contents: JSON.stringify(text_contents), content_names: JSON.stringify(content_names) })
    const { body } = await ann.ok('POST', bulk, list(['one', ' ', 'three'], ['a', 'b', 'c.pdf']))
    expect(body).toMatchObject({ total_files: 3, successful_uploads: 2, failed_uploads: 1 })
    const refused = async (form: FormData | URLSearchParams, names: string) =>
      expectRefusal(await ann.post(bulk, form), { status: 400, project: false, names })
    await refused(list(['one', 'two'], ['a']), 'content_names')
    await refused(list(['one', 2], ['a', 'b']), 'text_contents')
    await refused(texts({ text_contents: '["a"]' }), 'content_names')
    await refused(texts({ text_contents: 'a', content_names: '["a"]' }), 'text_contents')
    const eleven = Array.from({ length: 11 }, (_, number) => `text ${number}`)
    await refused(list(eleven, eleven), '10')
    const form = new FormData()
    for (const text of eleven) form.append('files', new Blob([text]), `${text}.txt`)
    await refused(form, '10')
    await refused(new FormData(), 'files')
    expect((await ann.ok('GET', files)).body.total_files).toBe(2)
  })

  it('are duplicates within 30 seconds, of files of the same user only', async () => {
    const [ann, bob] = [await somebody(), await somebody()]
    const first = (await ann.ok('POST', upload, uploadForm('a.txt', 'The same.'))).body
    const second = (await ann.ok('POST', upload, uploadForm('b.txt', 'The same.'))).body
    expect(second).toMatchObject({ file_id: first.file_id, duplicate: true })
    const others = (await bob.ok('POST', upload, uploadForm('a.txt', 'The same.'))).body
    expect(others.duplicate).toBeUndefined()
    expect(others.file_id).not.toBe(first.file_id)
  })

  it('cannot be read or deleted by other users, in the same application or another', async () => {
    const other = (await registerApp(server.url, issuer.url, { chat_id: tenant.chatId })).app_id
    const ann = await signIn(server.url, appId, issuer, 'the-same-person')
    const strangers = [await somebody(), await signIn(server.url, other, issuer, 'the-same-person')]
    const { file_id } = (await ann.ok('POST', upload, uploadForm('a.txt', 'Mine alone.'))).body
    for (const stranger of [...strangers, tenant.chat, tenant.project]) {
      const path = stranger === tenant.chat ? `/v1/${tenant.chatId}/files` : files
      if (stranger !== tenant.project) expect((await stranger.ok('GET', path)).body.files).toEqual([])
      const gone = await stranger.call('DELETE', `${path}/${file_id}`)
      expect(gone.status).toBeGreaterThanOrEqual(400)
    }
    for (const stranger of strangers) {
      expectRefusal(await stranger.call('DELETE', `${files}/${file_id}`), {
        status: 404,
        project: false,
        names: 'file',
      })
      expect((await stranger.ok('GET', '/v1/me/events')).body).toEqual([])
    }
    expect((await ann.ok('GET', files)).body.total_files).toBe(1)
  })

  it('can have the scopes of the parent chat, and custom scopes of the user', async () => {
    const own = await createTenant(server.url)
    await own.chat.ok('POST', `/v1/${own.chatId}/scopes/configure`, {
      scopes: [
        { name: 'department', required: true },
        { name: 'year', type: 'number' },
      ],
    })
    const app = (await registerApp(server.url, issuer.url, { chat_id: own.chatId })).app_id
    const ann = await somebody(app)
    let number = 0
    const send = (scopes: unknown) => {
      number += 1
      return ann.post(upload, uploadForm(`${number}.txt`, `text ${number}`, scopes))
    }
    const refused = async (scopes: unknown, names: string) =>
      expectRefusal(await send(scopes), { status: 400, project: false, names })
    await refused(undefined, 'department')
    await refused({ department: 5 }, 'department')
    await refused({ department: 'x', year: '1999' }, 'year')
    await refused({ department: 'x', '9lives': true }, '9lives')
    await refused({ department: 'x', list: [] }, 'list')
    expect((await send({ department: 'x', year: 1999, mine: true, other: 'a' })).status).toBe(200)
    const names = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`own${index}`, index]))
    // Two scopes of the parent chat, two of earlier uploads, and these.
    await refused({ department: 'x', ...names(17) }, '20')
    expect((await send({ department: 'x', ...names(16) })).status).toBe(200)
    await refused({ department: 'x', more: 1 }, '20')
    const form = new FormData()
    form.append('files', new Blob(['a']), 'a.txt')
    expectRefusal(await ann.post(bulk, form), { status: 400, project: false, names: 'department' })
  })

  it("have their names in the user's events, and no names in the developer's events", async () => {
    const own = await createTenant(server.url)
    const app = (await registerApp(server.url, issuer.url, { chat_id: own.chatId })).app_id
    const ann = await somebody(app)
    const { user_id, chat_id } = await profile(ann)
    const { file_id } = (await ann.ok('POST', upload, uploadForm('diary.txt', 'Dear diary.'))).body
    await ann.ok('DELETE', `${files}/${file_id}`)
    const named = { app_id: app, user_id, chat_id, file_id, filename: 'diary.txt' }
    const mine = (await ann.ok('GET', '/v1/me/events')).body
    expect(mine).toMatchObject([
      { type: 'file_deleted', data: { event: 'file_deleted', size_freed: 11, chunks_removed: 1, ...named } },
      { type: 'file_uploaded', data: { size_bytes: 11, file_type: 'txt', chunk_count: 1, ...named } },
    ])
    const hidden = { ...named, file_id: null, filename: null }
    const console = Api.admin(server.url)
    for (const list of [
      (await own.project.ok('GET', `/v1/${own.projectId}/events`)).body,
      (await console.ok('GET', `/v1/console/projects/${own.projectId}/events`)).body,
    ]) {
      expect(list).toMatchObject([
        { event_id: mine[0].event_id, type: 'file_deleted', data: { size_freed: 11, ...hidden } },
        { event_id: mine[1].event_id, type: 'file_uploaded', data: { size_bytes: 11, ...hidden } },
      ])
    }
    const first = await ann.ok('GET', '/v1/me/events?limit=1')
    expect(first.body).toEqual([mine[0]])
    const next = /<(.*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    expect((await ann.ok('GET', next)).body).toEqual([mine[1]])
    expect((await ann.ok('GET', '/v1/me/events?type=file_uploaded')).body).toEqual([mine[1]])
    expectRefusal(await ann.get('/v1/me/events?cursor=x'), { status: 400, project: false, names: 'cursor' })
    await console.ok('DELETE', `/v1/console/apps/${app}/users/${user_id}`)
    expect((await own.project.ok('GET', `/v1/${own.projectId}/events`)).body).toEqual([])
  })

  it('have at most twenty scopes in total, also after concurrent uploads', async () => {
    const ann = await somebody()
    const four = (letter: string) => Object.fromEntries([1, 2, 3, 4].map((n) => [`${letter}${n}`, n]))
    const answers = await Promise.all(
      [...'abcdef'].map((letter) => ann.post(upload, uploadForm(`${letter}.txt`, letter, four(letter)))),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(1)
    for (const answer of refused) expectRefusal(answer, { status: 400, project: false, names: '20 scopes' })
    expect((await ann.ok('GET', files)).body.total_files).toBe(5)
  })

  it.each([
    [upload, 30],
    [bulk, 10],
  ])('are limited per user and minute at %s, with headers on every response', async (path, limit) => {
    const ann = await somebody()
    for (let left = limit - 1; left >= 0; left--) {
      const { status, headers } = await ann.post(path, texts({}))
      expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
        400,
        String(limit),
        String(left),
      ])
    }
    const over = await ann.post(path, texts({}))
    expectRefusal(over, { status: 429, project: false, names: String(limit) })
    expect(over.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(Number(over.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 - 1)
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await (await somebody()).post(path, texts({}))).status).toBe(400)
    expect((await ann.get(files)).status).toBe(200)
  })

  it('are rejected without a valid token', async () => {
    expect((await asUser(server.url, appId, 'nobody').get(files)).status).toBe(401)
  })
})
