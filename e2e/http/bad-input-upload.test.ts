import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'
import { stateOf } from '../support/state.ts'
import { socketTalk, wireCall } from '../support/wire.ts'

const boundary = 'a-boundary'
const type = `multipart/form-data; boundary=${boundary}`
const fileLimit = 5 * 1024 * 1024

function part(disposition: string, content: string, contentType?: string): string {
  const more = contentType ? `Content-Type: ${contentType}\r\n` : ''
  return `Content-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}`
}

const filePart = (content: string) => part('name="file"; filename="note.txt"', content, 'text/plain')
const scopesPart = (text: string) => part('name="scope_values"', text)

function form(...parts: string[]): string {
  return `${parts.map((text) => `--${boundary}\r\n${text}\r\n`).join('')}--${boundary}--\r\n`
}

const tooMany = JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`s${i}`, i])))

describe.each(oneDatabase)('bad uploads, on $database', ({ env }) => {
  let server: Server
  let tenant: Tenant
  let path: string
  let before: string

  beforeAll(async () => {
    server = await startServer({ env: await env() })
    tenant = await createTenant(server.url)
    path = `/v1/${tenant.chatId}/upload_with_scopes`
    await tenant.chat.ok('POST', path, uploadForm('first.txt', 'The first file is here to stay.'))
  })
  beforeEach(async () => {
    before = await stateOf(server.url, tenant)
  })
  afterAll(async () => {
    await server?.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  function send(body: string | Uint8Array, contentType = type): Promise<Answer> {
    const headers = { authorization: `Bearer ${tenant.chatKey}`, 'content-type': contentType }
    return wireCall(server.url, 'POST', path, { headers, body })
  }

  async function refused(answer: Answer, status: number, names?: string): Promise<void> {
    expectRefusal(answer, { status, project: false, ...(names !== undefined && { names }) })
    expect(await stateOf(server.url, tenant)).toBe(before)
  }

  it.each([
    ['{', 'scope_values'],
    ['[]', 'scope_values'],
    ['[{"a":1}]', 'scope_values'],
    ['"x"', 'scope_values'],
    ['5', 'scope_values'],
    ['null', 'scope_values'],
    ['undefined', 'scope_values'],
    ["{'a':1}", 'scope_values'],
    ['{"team":{"a":1}}', 'team'],
    ['{"team":["a"]}', 'team'],
    ['{"team":null}', 'team'],
    ['{"team":1e400}', 'team'],
    [`{"team":"${'x'.repeat(256)}"}`, 'team'],
    ['{"1st":1}', '1st'],
    ['{"a b":1}', 'a b'],
    ['{"":1}', 'scope name'],
    ['{"__proto__":1}', '__proto__'],
    ['{"a.b":1}', 'a.b'],
    [`{"${'a'.repeat(65)}":1}`, 'scope name'],
    ['{"filename":"x"}', 'filename'],
    ['{"chat_id":"x"}', 'chat_id'],
    ['{"id":"x"}', 'id'],
    ['{"text":"x"}', 'text'],
    ['{"file_id":"x"}', 'file_id'],
    [tooMany, '20'],
  ])('reject the scope values %s, by name', async (text, names) => {
    await refused(await send(form(filePart('hello there'), scopesPart(text))), 400, names)
  })

  it('reject repeated scope values', async () => {
    const body = form(filePart('hello there'), scopesPart('{"a":1}'), scopesPart('{"a":2}'))
    await refused(await send(body), 400, 'scope_values')
  })

  it.each([
    ['no parts', form()],
    ['an empty body', ''],
    ['another name', form(part('name="document"; filename="note.txt"', 'hello'))],
    ['a field in place of the file', form(part('name="file"', 'hello'))],
    ['a file without a name', form(part('name="file"; filename=""', 'hello', 'text/plain'))],
    ['two files', form(filePart('one'), filePart('two'))],
    ['an empty file', form(filePart(''))],
    ['a file of spaces', form(filePart(' \n\t '))],
  ])('reject %s with 400, naming the file', async (_, body) => {
    await refused(await send(body), 400, 'file')
  })

  it.each(['note', 'note.exe', '.txt', 'note.txt.exe', 'txt'])(
    'reject the file type of %s with 415',
    async (name) => {
      await refused(await send(form(part(`name="file"; filename="${name}"`, 'hello'))), 415, 'file type')
    },
  )

  it.each([
    ['application/json', '{"file":"x"}'],
    ['text/plain', 'x'],
    ['application/x-www-form-urlencoded', 'file=x'],
  ])('reject a body of type %s with 415, naming the expected type', async (contentType, body) => {
    await refused(await send(body, contentType), 415, 'multipart/form-data')
  })

  it('reject a form without its boundary', async () => {
    await refused(await send(form(filePart('hello')), 'multipart/form-data'), 400)
  })

  const whole = form(
    filePart('Only a part of this file will ever arrive at the server.'),
    scopesPart('{"a":1}'),
  )
  it.each([
    ['in the first boundary', 5],
    ['in the headers of the file', 60],
    ['in the file', 150],
    ['after the file', whole.indexOf('scope_values')],
    ['in the scope values', whole.indexOf('{"a"') + 2],
    ['before the last boundary', whole.lastIndexOf(`--${boundary}`)],
    ['in the last boundary', whole.length - 6],
  ])('reject a form that ends %s', async (_, length) => {
    await refused(await send(whole.slice(0, length)), 400)
  })

  it.each([60, 150, 250])(
    'store nothing of a form whose client disconnects after %i bytes',
    async (length) => {
      const head = [
        `POST ${path} HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${tenant.chatKey}`,
        `Content-Type: ${type}`,
        `Content-Length: ${whole.length}`,
      ]
      await socketTalk(server.url, async (socket) => {
        socket.write(`${head.join('\r\n')}\r\n\r\n${whole.slice(0, length)}`)
        await new Promise((resolve) => setTimeout(resolve, 30))
        socket.destroy()
      })
      expect(await stateOf(server.url, tenant)).toBe(before)
      expect((await new Api(server.url).get('/v1/health')).status).toBe(200)
    },
  )

  it('reject a file over 5 MiB with a 413 that the client receives, and accept exactly 5 MiB', async () => {
    const file = (bytes: number) => form(filePart('word '.repeat(bytes / 5 + 1).slice(0, bytes)))
    for (const bytes of [fileLimit + 1, fileLimit + 1024, 4 * fileLimit]) {
      await refused(await send(file(bytes)), 413, 'file')
    }
    const answer = await send(form(filePart(`${' '.repeat(fileLimit - 5)}hello`)))
    expect(answer.status, answer.text).toBe(200)
  })

  it('reject a field over the limit with 413, naming the field', async () => {
    const body = form(filePart('hello'), scopesPart(`{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`))
    await refused(await send(body), 413, 'scope_values')
  })

  it('reject a form with too many parts', async () => {
    const others = Array.from({ length: 100 }, (_, i) => part(`name="x${i}"`, 'y'))
    await refused(await send(form(...others, filePart('hello'))), 400)
    await refused(await send(form(...Array.from({ length: 30 }, () => filePart('hello')))), 400)
    await refused(await send(form(filePart('hello'), part('name="__proto__"', 'x'))), 400)
  })

  it('accept scope values before or after the file, as JSON, and as a part with a file name', async () => {
    const file = (n: number) => filePart(`The number of this note is ${n}.`)
    const json = part('name="scope_values"', '{"a":1}', 'application/json')
    const asFile = part('name="scope_values"; filename="scopes.json"', '{"a":1}', 'application/json')
    const forms = [
      [file(1), scopesPart('{"a":1}')],
      [scopesPart('{"a":1}'), file(2)],
      [file(3), json],
      [asFile, file(4)],
    ]
    for (const parts of forms) {
      const answer = await send(form(...parts))
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body.scope_values, parts.join('\n')).toEqual({ a: 1 })
    }
  })

  it('store scope values of every type exactly, also NUL and unpaired surrogates', async () => {
    const values = {
      zero: 0,
      no: false,
      empty: '',
      mark: 'a\0b\ud800"\u2028ü😀',
      n: -1.5e-7,
      constructor: 'c',
    }
    const answer = await send(form(filePart('Scopes of all kinds.'), scopesPart(JSON.stringify(values))))
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.scope_values).toEqual(values)
  })

  it.each([
    ['..%2F../../etc/passwd.txt', 'passwd.txt'],
    ['..\\\\..\\\\boot.txt', 'boot.txt'],
    ['grüße 日本 😀.txt', 'grüße 日本 😀.txt'],
    ["'; drop table documents;--.txt", ' drop table documents--.txt'.trim()],
    [`${'x'.repeat(5000)}.txt`, `${'x'.repeat(196)}.txt`],
    ['<script>.txt', 'script.txt'],
    ['A.TXT', 'A.TXT'],
  ])('store the file name %s safely', async (name, stored) => {
    const answer = await send(form(part(`name="file"; filename="${name}"`, `This is ${name}.`)))
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.filename).toBe(stored)
    expect(answer.body.file_id).toMatch(/^[A-Za-z0-9._-]+_\d{10}$/)
    expect(answer.body.file_id).not.toContain('..')
  })
})
