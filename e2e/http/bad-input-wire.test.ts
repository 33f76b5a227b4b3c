import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'
import { stateOf } from '../support/state.ts'
import { socketTalk, wireCall } from '../support/wire.ts'

const run = promisify(execFile)
const mib = 1024 * 1024

/** A trace of about so many bytes. */
function bigTrace(bytes: number): string {
  return JSON.stringify({ input: 'x'.repeat(bytes), output: 'y' })
}

describe.each(oneDatabase)('bodies that are too large, cut off or garbled, on $database', ({ env }) => {
  let server: Server
  let tenant: Tenant
  let path: string
  let before: string
  let folder: string

  beforeAll(async () => {
    server = await startServer({ env: await env() })
    tenant = await createTenant(server.url)
    path = `/v1/${tenant.projectId}/traces`
    await tenant.project.ok('POST', path, { input: 'a', output: 'b' })
    before = await stateOf(server.url, tenant)
    folder = await mkdtemp(join(tmpdir(), 'cairn-wire-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await server?.stop()
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  const head = (...lines: string[]) =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${tenant.projectKey}`,
      'Content-Type: application/json',
      ...lines,
      '',
      '',
    ].join('\r\n')

  const unchanged = async () => expect(await stateOf(server.url, tenant)).toBe(before)

  it('refuse JSON over 10 MiB with a 413 that fetch receives, again and again on one connection', async () => {
    for (const bytes of [10 * mib, 12 * mib, 40 * mib]) {
      expectRefusal(await tenant.project.post(path, bigTrace(bytes)), { status: 413, project: true })
    }
    await unchanged()
  })

  it.each([
    [['--data-binary'], 12],
    [['-H', 'Expect:', '--data-binary'], 12],
    [['-H', 'Transfer-Encoding: chunked', '--data-binary'], 12],
    [['-H', 'Transfer-Encoding: chunked', '-H', 'Expect:', '--data-binary'], 60],
    [['-T'], 12],
  ])('refuse it with a 413 that curl %j receives', async (options, size) => {
    const file = join(folder, 'big.json')
    await writeFile(file, bigTrace(size * mib))
    const source = options.at(-1) === '-T' ? file : `@${file}`
    const { stdout } = await run('curl', [
      ...['-sS', '-X', 'POST', '--max-time', '30', '-w', '\\n%{http_code} %{content_type}'],
      ...['-H', 'Content-Type: application/json', '-H', `Authorization: Bearer ${tenant.projectKey}`],
      ...[...options, source, server.url + path],
    ])
    const [body = '', status] = stdout.split('\n')
    expect(status).toMatch(/^413 application\/json/)
    expect(JSON.parse(body).error.code).toBe(413)
    await unchanged()
  })

  it.each([
    ['a length', `Content-Length: ${16 * mib}`, false],
    ['chunks', 'Transfer-Encoding: chunked', true],
  ])('refuse it with a 413 for a socket that keeps writing, with %s', async (_, framing, chunked) => {
    const piece = 'x'.repeat(mib)
    const answer = await socketTalk(server.url, async (socket) => {
      socket.write(head(framing))
      for (let sent = 0; sent < 16; sent++) {
        const text = chunked ? `${mib.toString(16)}\r\n${piece}\r\n` : piece
        if (!socket.write(text)) await new Promise((resolve) => socket.once('drain', resolve))
      }
      if (chunked) socket.write('0\r\n\r\n')
    })
    expectRefusal(answer, { status: 413, project: true })
    await unchanged()
  })

  it('end a connection whose sender never stops', { timeout: 40_000 }, async () => {
    const piece = `${mib.toString(16)}\r\n${'x'.repeat(mib)}\r\n`
    let ended = false
    const answer = await socketTalk(server.url, async (socket) => {
      socket.once('close', () => (ended = true))
      socket.write(head('Transfer-Encoding: chunked'))
      while (!ended && !socket.destroyed) {
        if (!socket.write(piece)) {
          await Promise.race(['drain', 'close'].map((name) => new Promise((done) => socket.once(name, done))))
        }
      }
    })
    expect(ended).toBe(true)
    if (answer.status !== 0) expectRefusal(answer, { status: 413, project: true })
    await unchanged()
  })

  it('refuse large bodies without a credential, and of unknown paths, with answers that arrive', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = bigTrace(20 * mib)
    const call = (target: string, more = {}) =>
      wireCall(server.url, 'POST', target, { headers: { ...headers, ...more }, body })
    expectRefusal(await call(path), { status: 401, project: true })
    expectRefusal(await call('/v1/console/projects'), { status: 401, project: false })
    expectRefusal(await call('/no/such/path'), { status: [404, 413], project: false })
    const text = { authorization: `Bearer ${tenant.projectKey}`, 'content-type': 'text/plain' }
    expectRefusal(await call(path, text), { status: [413, 415], project: true })
    const form = { ...text, 'content-type': 'multipart/form-data; boundary=x' }
    expectRefusal(await call(path, form), { status: 415, project: true })
  })

  it('take a body of nearly 10 MiB, and give it back whole', async () => {
    const { projectId, project } = await createTenant(server.url)
    const input = 'ü\0😀"\\'.repeat((9 * mib) / 15)
    const { body } = await project.ok('POST', `/v1/${projectId}/traces`, { input, output: '' })
    const detail = await project.get(`/v1/${projectId}/analytics/traces/${body.trace_id}`)
    expect(detail.body.input === input).toBe(true)
    before = await stateOf(server.url, tenant)
  })

  it('store nothing of a body that ends before its length', async () => {
    const body = JSON.stringify({ input: 'half', output: 'sent' })
    for (const length of [body.length + 1, body.length + 1000]) {
      const answer = await socketTalk(server.url, (socket) => {
        socket.end(head(`Content-Length: ${length}`) + body)
      })
      if (answer.status !== 0) expectRefusal(answer, { status: 400 })
    }
    await socketTalk(server.url, async (socket) => {
      socket.write(`${head('Transfer-Encoding: chunked')}${body.length.toString(16)}\r\n${body}\r\n`)
      await new Promise((resolve) => setTimeout(resolve, 30))
      socket.destroy()
    })
    await unchanged()
  })

  it.each([
    ['no HTTP', 'hello?\r\n\r\n', 400],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['an expectation nobody knows', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\n\r\n', 417],
    ['no host', 'GET /nowhere HTTP/1.1\r\nConnection: close\r\n\r\n', 404],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n', 400],
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(17 * 1024)}\r\n\r\n`, 431],
    ['a path over 16 KiB', `GET /${'a'.repeat(17 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])('answer %s with JSON and go on', async (_, text, status) => {
    const answer = await socketTalk(server.url, (socket) => void socket.write(text, 'latin1'))
    expectRefusal(answer, { status, project: false })
    expect((await new Api(server.url).get('/v1/health')).status).toBe(200)
  })

  it('answer a broken chunk with JSON', async () => {
    const answer = await socketTalk(server.url, (socket) => {
      socket.write(`${head('Transfer-Encoding: chunked')}zz\r\nnonsense\r\n`)
    })
    expectRefusal(answer, { status: 400 })
    await unchanged()
  })
})
