import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { registerApp, signIn } from '../support/applications.ts'
import { oneDatabase } from '../support/databases.ts'
import { nestedForms, onePage, packed, wideFont } from '../support/hostile/pdf.ts'
import { type Issuer, startIssuer } from '../support/issuer.ts'
import { childrenOf, isRunning, watchMemory } from '../support/processes.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'

const megabyte = 1024 * 1024

/** Files that crashed the server, or used gigabytes, when it read files in its own process. */
const endings: [string, () => Buffer][] = [
  ['widths of two thousand million characters', () => onePage(wideFont('/W [0 2000000000 500]'))],
  ['vertical widths of as many', () => onePage(wideFont('/W2 [0 2000000000 -1000 500 900]'))],
  ['widths of fifty million characters', () => onePage(wideFont('/W [0 50000000 500]'))],
  [
    'one string of 100 MB in a packed content stream',
    () => onePage({ content: packed(`BT /F1 1 Tf (${'a'.repeat(100 * megabyte)}) Tj ET`) }),
  ],
  [
    'a packed map of characters of 300 MB',
    () => {
      const { font, objects = [], content } = wideFont('/CIDToGIDMap 8 0 R')
      return onePage({
        ...(font && { font }),
        ...(content && { content }),
        objects: [...objects, packed(Buffer.alloc(300 * megabyte))],
      })
    },
  ],
]

const onlyOnLinux = it.runIf(process.platform === 'linux')

describe.each(oneDatabase)('hostile uploads, on $database', ({ env }) => {
  let server: Server
  let issuer: Issuer
  let tenant: Tenant
  let appId: string

  beforeAll(async () => {
    issuer = await startIssuer()
    const settings = { CAIRN_ALLOW_INSECURE_ISSUERS: 'true', CAIRN_MAX_WAITING_FILES: '16' }
    server = await startServer({ env: { ...(await env()), ...settings } })
    tenant = await createTenant(server.url)
    appId = (await registerApp(server.url, issuer.url, { chat_id: tenant.chatId })).app_id
  })
  afterAll(async () => {
    await server?.kill()
    await issuer?.close()
  })

  const upload = (to: Tenant, name: string, content: string | Uint8Array) =>
    to.chat.post(`/v1/${to.chatId}/upload_with_scopes`, uploadForm(name, content))
  const uploadOwn = (user: Api, name: string, content: string | Uint8Array) =>
    user.post('/v1/me/chats/files/upload', uploadForm(name, content))
  const somebody = (name: string) => signIn(server.url, appId, issuer, name)

  /** Expects that the server runs and reads the next file. */
  async function expectCalm(): Promise<void> {
    expect(isRunning(server.pid)).toBe(true)
    const answer = await upload(tenant, 'note.txt', `The lamp is blue on ${performance.now()}.`)
    expect(answer.status, answer.text).toBe(200)
  }

  it.each(endings)('a PDF with %s can only fail its own request', async (_, make) => {
    const answer = await upload(tenant, 'hostile.pdf', make())
    if (answer.status !== 200) expectRefusal(answer, { status: [400, 408], project: false })
    await expectCalm()
  })

  it('the same holds for every endpoint that reads files', async () => {
    const hostile = () => uploadForm('hostile.pdf', onePage(wideFont('/W [0 2000000000 500]')))
    const refusal = { status: 400, project: false, names: 'CAIRN_EXTRACTION_BYTES' }
    expectRefusal(await Api.admin(server.url).post('/extract-pdf-text', hostile()), refusal)
    const ann = await somebody('ann')
    expectRefusal(await ann.post('/v1/me/chats/files/upload', hostile()), refusal)
    const several = hostile()
    several.set('files', several.get('file') as Blob, 'hostile.pdf')
    several.append('files', new Blob(['The lamp is blue.']), 'note.txt')
    several.delete('file')
    const { results } = (await ann.ok('POST', '/v1/me/chats/files/upload-bulk', several)).body
    expect(results).toEqual([
      expect.objectContaining({ success: false, error: expect.stringContaining('memory') }),
      expect.objectContaining({ success: true }),
    ])
    await expectCalm()
  })

  it('very long file names are shortened, whichever endpoint takes them, and delay nobody', async () => {
    const long = (length: number) => `a${'.'.repeat(length)}x.txt`
    const admin = Api.admin(server.url)
    const text = new FormData()
    text.set('text_content', 'The lamp is red.')
    text.set('content_name', long(1_000_000))
    const node = {
      chat_id: tenant.chatId,
      pdf_id: 'long-name',
      pdf_text: 'The lamp is grey.',
      filename: long(1_000_000),
    }
    const names = await Promise.all([
      upload(tenant, long(60_000), 'The lamp is pink.').then(({ body }) => body.filename),
      somebody('gus')
        .then((user) => user.ok('POST', '/v1/me/chats/files/upload', text))
        .then(({ body }) => body.filename),
      admin
        .ok('POST', '/create_nodes_and_embeddings', node)
        .then(() => admin.ok('PUT', '/update_node/long-name', { filename: long(1_000_000) }))
        .then(({ body }) => body.properties.filename),
    ])
    for (const name of names) expect(name).toMatch(/^a\.{195}\.txt$/)
    await expectCalm()
  })

  onlyOnLinux('files of one long name or title are read in little memory', async () => {
    const long = 'key '.repeat(megabyte)
    const files = {
      'long.json': `{${JSON.stringify(long)}:[${'1,'.repeat(200_000)}1]}`,
      'long.yaml': `${JSON.stringify(long.slice(0, 100_000))}:\n${'  - one\n'.repeat(100_000)}`,
      'long.md': `# ${long}\n\n${'A line of the text.\n\n'.repeat(20_000)}`,
    }
    for (const [name, content] of Object.entries(files)) {
      const peaks = watchMemory(server.pid)
      const answer = await upload(tenant, name, content)
      expect(answer.status, `${name} ${answer.text}`).toBe(200)
      expect(peaks().child, name).toBeLessThan(280 * megabyte)
    }
  })

  it('slow files of one tenant do not delay a small file of another', async () => {
    const attacker = await createTenant(server.url)
    let ended = 0
    const note = () => {
      ended += 1
    }
    for (let number = 0; number < 8; number++) {
      upload(attacker, `slow-${number}.pdf`, nestedForms(40 + number)).then(note, note)
    }
    const files = `/v1/${attacker.chatId}/files`
    while (((await attacker.chat.ok('GET', files)).body.uploads ?? []).length < 8) await pause(20)
    for (let round = 0; round < 3; round++) await expectCalm()
    expect(ended).toBe(0)
  })

  it('slow files of several end users do not delay a small file of another user', async () => {
    let ended = 0
    const note = () => {
      ended += 1
    }
    for (const name of ['bob', 'cid', 'dan', 'eve']) {
      const user = await somebody(name)
      for (let number = 0; number < 2; number++) {
        uploadOwn(user, `slow-${number}.pdf`, nestedForms(50 + number)).then(note, note)
      }
    }
    const fay = await somebody('fay')
    const answer = await uploadOwn(fay, 'note.txt', 'The lamp is green.')
    expect(answer.status, answer.text).toBe(200)
    await expectCalm()
    expect(ended).toBe(0)
  })

  it('a tenant with too many waiting files gets a 429, and other tenants do not', async () => {
    const attacker = await createTenant(server.url)
    const answers = Array.from({ length: 30 }, (_, number) =>
      upload(attacker, `slow-${number}.pdf`, nestedForms(60 + number)),
    )
    const refused = await Promise.any(
      answers.map(async (each) => {
        const answer = await each
        if (answer.status === 429) return answer
        throw new Error(answer.text)
      }),
    )
    expectRefusal(refused, { status: 429, project: false, names: 'CAIRN_MAX_WAITING_FILES' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    for (const answer of answers) answer.catch(() => {})
    await expectCalm()
  })

  onlyOnLinux('a killed server leaves no process behind, also none in an endless loop', async () => {
    const children = childrenOf(server.pid)
    expect(children.length).toBeGreaterThan(0)
    await server.kill()
    while (children.some(isRunning)) await pause(20)
  })
})
