import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, toAnswer } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'
import { stateOf } from '../support/state.ts'
import { answersTo, openSocket, socketTalk, wireCall } from '../support/wire.ts'

const run = promisify(execFile)
const mib = 1024 * 1024

/** A trace of about this many bytes. */
function bigTrace(bytes: number): string {
  return JSON.stringify({ input: 'x'.repeat(bytes), output: 'y' })
}

describe.each(oneDatabase)('bodies that are too large, incomplete or malformed, on $database', ({ env }) => {
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

  it('get a 413 that fetch receives for JSON over 10 MiB, repeatedly on one connection', async () => {
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
  ])('get a 413 that curl %j receives', async (options, size) => {
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
  ])('get a 413 on a socket that keeps writing, with %s', async (_, framing, chunked) => {
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

  it('get a 401 for a wrong key before the rest of the body arrives, on a connection that stays open', async () => {
    const wrongKey = head(`Content-Length: ${9 * mib}`).replace(/Bearer .*/, `Bearer ${'k'.repeat(70)}`)
    const answer = await socketTalk(server.url, (socket) => void socket.write(`${wrongKey}{"input":"x`))
    expectRefusal(answer, { status: 401, project: true })
    expect(answer.headers.get('connection')).not.toBe('close')
    await unchanged()
  })

  it('get their connection closed if the client never stops sending', { timeout: 40_000 }, async () => {
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

  it('get a response that the client receives without a credential and for unknown paths', async () => {
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

  it('of nearly 10 MiB are accepted and returned completely', async () => {
    const { projectId, project } = await createTenant(server.url)
    const input = 'ü\0😀"\\'.repeat((9 * mib) / 15)
    const { body } = await project.ok('POST', `/v1/${projectId}/traces`, { input, output: '' })
    const detail = await project.get(`/v1/${projectId}/analytics/traces/${body.trace_id}`)
    expect(detail.body.input === input).toBe(true)
    before = await stateOf(server.url, tenant)
  })

  it('that end before their length are not stored', async () => {
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
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 400],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n', 400],
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(17 * 1024)}\r\n\r\n`, 431],
    ['a path over 16 KiB', `GET /${'a'.repeat(17 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])('get a JSON response for %s, and the server continues', async (_, text, status) => {
    const answer = await socketTalk(server.url, (socket) => void socket.write(text, 'latin1'))
    expectRefusal(answer, { status, project: false })
    expect((await new Api(server.url).get('/v1/health')).status).toBe(200)
  })

  describe('that a proxy and the server could interpret differently', () => {
    const next = 'GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n'
    const post = (...lines: string[]) => ['POST / HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n')
    const refused: [string, string][] = [
      ['a length and chunks', `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
      ['chunks and a length', `${post('Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n`],
      ['the same length twice', `${post('Content-Length: 2', 'Content-Length: 2')}{}`],
      ['a list of lengths', `${post('Content-Length: 2, 2')}{}`],
      ['a length with a sign', `${post('Content-Length: +2')}{}`],
      ['a hexadecimal length', `${post('Content-Length: 0x2')}{}`],
      ['an empty length', post('Content-Length:')],
      ['a length past 64 bits', `${post('Content-Length: 18446744073709551618')}{}`],
      ['unknown chunks', `${post('Transfer-Encoding: xchunked')}0\r\n\r\n`],
      ['chunks that are not last', `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n`],
      ['chunks twice', `${post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
      ['a space behind a name', `${post('Transfer-Encoding : chunked')}0\r\n\r\n`],
      ['a folded line', `${post('Transfer-Encoding:', ' chunked')}0\r\n\r\n`],
      ['chunks in HTTP/1.0', `${post('Transfer-Encoding: chunked').replace('1.1', '1.0')}0\r\n\r\n`],
      ['a chunk past 64 bits', `${post('Transfer-Encoding: chunked')}fffffffffffffffff\r\n{}\r\n0\r\n\r\n`],
      ['chunks that end with LF', `${post('Transfer-Encoding: chunked')}2\n{}\n0\n\n`],
      ['lines that end with LF', 'GET / HTTP/1.1\nHost: x\n\n'],
      ['a CR in a header', 'GET / HTTP/1.1\r\nHost: x\rX-A: b\r\n\r\n'],
      ['a header without colon', 'GET / HTTP/1.1\r\nHost: x\r\nHost\r\n\r\n'],
      ['HTTP/1.2', 'GET / HTTP/1.2\r\nHost: x\r\n\r\n'],
    ]
    it.each(refused)('get one 400 and a closed connection: %s', async (_, text) => {
      const [answer, ...more] = await answersTo(server.url, text + next)
      expect(more).toEqual([])
      expectRefusal(answer ?? toAnswer(0, new Headers(), ''), { status: 400, project: false })
    })

    const hosts: [string, string[]][] = [
      ['none', []],
      ['two', ['Host: a', 'Host: b']],
      ['the same twice', ['Host: a', 'host: a']],
      ['a list', ['Host: a, b']],
      ['a path', ['Host: a/b']],
      ['a user', ['Host: a@b']],
      ['a space', ['Host: a b']],
      ['more than ASCII', ['Host: \xe4']],
      ['a wrong port', ['Host: a:b']],
    ]
    it.each(hosts)('get one 400 and a closed connection: Host is %s', async (_, lines) => {
      const paths = ['/v1/health', '/', '/no/such/path', '/v1/me/profile', '/graph_data/x', path]
      for (const target of paths) {
        const text = [`GET ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n')
        const [answer, ...more] = await answersTo(server.url, text + next)
        expect(more).toEqual([])
        const expected = { status: 400, project: target === path, names: 'Host' }
        expectRefusal(answer ?? toAnswer(0, new Headers(), ''), expected, target)
      }
    })

    it.each([
      ['a name', 'HTTP/1.1', ['Host: cairn.example.com']],
      ['a name with a port', 'HTTP/1.1', ['host: localhost:8000']],
      ['an address', 'HTTP/1.1', ['Host: [::1]:8000']],
      ['a service', 'HTTP/1.1', ['Host: my_service']],
      ['empty', 'HTTP/1.1', ['Host:']],
      ['left out before HTTP/1.1', 'HTTP/1.0', []],
    ])('are accepted if Host is %s', async (_, version, lines) => {
      const text = [`GET /v1/health ${version}`, ...lines, 'Connection: close', '', ''].join('\r\n')
      expect((await answersTo(server.url, text)).map(({ status }) => status)).toEqual([200])
    })
  })

  it.each([
    ['no HTTP', 'hello?\r\n\r\n'],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ])('get their connection closed if the client does not close its side: %s', async (_, text) => {
    const socket = openSocket(server.url, { allowHalfOpen: true })
    socket.resume().write(text)
    await once(socket, 'end')
    // The server's system rejects this after the server has closed the socket.
    const isGone = once(socket, 'error').then(() => true)
    const writing = setInterval(() => socket.write('x'), 50)
    expect(await isGone.catch(() => true)).toBe(true)
    clearInterval(writing)
  })

  it('get a 400 if they arrive in a hundred thousand pieces, each of which takes memory', async () => {
    const answer = await socketTalk(server.url, (socket) => {
      const credential = Object.entries(tenant.project.credential).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      )
      const head = `POST ${path} HTTP/1.1\r\nhost: x\r\n${credential.join('')}content-type: application/json\r\n`
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(100_000)}0\r\n\r\n`)
    })
    expectRefusal(answer, {
      status: 400,
      project: true,
      names: 'the request body arrives in more than 50000 pieces',
    })
  })

  it('get a JSON response for a malformed chunk', async () => {
    const answer = await socketTalk(server.url, (socket) => {
      socket.write(`${head('Transfer-Encoding: chunked')}zz\r\nnonsense\r\n`)
    })
    expectRefusal(answer, { status: 400 })
    await unchanged()
  })
})
