import { describe, expect, it } from 'vitest'
import { CairnApiError, createClient, type RetryOptions } from './index.ts'

interface Seen {
  url: string
  method: string
  headers: Headers
  body: unknown
}

function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return () => new Response(JSON.stringify(body), { status, headers })
}

/** A client whose server returns these responses in turn, and then repeats the last one. */
function clientOf(answers: (() => Response)[], retry: RetryOptions | false = {}) {
  const seen: Seen[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const headers = new Headers(init?.headers)
    seen.push({ url: String(url), method: init?.method ?? 'GET', headers, body: init?.body })
    const answer = answers[Math.min(seen.length, answers.length) - 1]
    if (!answer) throw new Error('no answer was prepared')
    return answer()
  }
  const client = createClient({
    baseUrl: 'http://cairn.test/base/',
    apiKey: 'tk_a_b',
    adminToken: 'admin',
    fetch,
    retry,
  })
  return { client, seen }
}

async function failure(promise: Promise<unknown>): Promise<CairnApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof CairnApiError) return error
  throw new Error(`not a CairnApiError: ${error}`)
}

const health = (status: string) => ({
  status,
  timestamp: '',
  version: '1',
  services: { database: status, models: 'local' },
})

describe('errors', () => {
  it('reads the message from both kinds of error body', async () => {
    const project = clientOf([json(400, { error: { code: 400, message: 'input is required' } })]).client
    expect(await failure(project.traces.get('proj_1', 'trc_1'))).toMatchObject({
      status: 400,
      message: 'input is required',
      retryAfter: undefined,
    })
    const details = { code: 400, message: 'no', type: 'invalid_request', param: 'input' }
    const detailed = clientOf([json(400, { error: details }, { 'x-request-id': 'req-1' })]).client
    expect(await failure(detailed.traces.get('proj_1', 'trc_1'))).toMatchObject({
      type: 'invalid_request',
      param: 'input',
      requestId: 'req-1',
    })
    const chat = clientOf([json(404, { detail: 'chat not found' })]).client
    expect(await failure(chat.chats.info('chat1'))).toMatchObject({ status: 404, message: 'chat not found' })
  })

  it('names the status if the body is not an error body of Cairn', async () => {
    const bodies = ['<h1>Bad gateway</h1>', '', 'null', '"text"', '{"error":null}', '{"detail":[1]}']
    for (const body of bodies) {
      const { client } = clientOf([() => new Response(body, { status: 502 })], false)
      const error = await failure(client.chats.info('chat1'))
      expect(error, body).toMatchObject({ status: 502, message: 'the server answered with status 502' })
    }
  })

  it('reads Retry-After as seconds or as a date, and accepts responses without it', async () => {
    const after = async (header: string) => {
      const { client } = clientOf([json(429, {}, { 'retry-after': header })], false)
      return (await failure(client.chats.info('chat1'))).retryAfter
    }
    expect(await after('7')).toBe(7)
    const inTenSeconds = await after(new Date(Date.now() + 10_000).toUTCString())
    expect(inTenSeconds).toBeGreaterThan(8)
    expect(inTenSeconds).toBeLessThanOrEqual(10)
    expect(await after('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0)
    expect(await after('soon')).toBeUndefined()
  })

  it('passes on the error of fetch if the server cannot be reached', async () => {
    const unreachable = async () => Promise.reject(new TypeError('fetch failed'))
    const client = createClient({ baseUrl: 'http://cairn.test', apiKey: 'tk_a_b', fetch: unreachable })
    await expect(client.health()).rejects.toThrow(TypeError)
  })

  it('reports a missing credential before it sends anything', async () => {
    const client = createClient({ baseUrl: 'http://cairn.test' })
    await expect(client.chats.info('chat1')).rejects.toThrow('apiKey')
    await expect(client.console.projects.list()).rejects.toThrow('adminToken')
  })
})

describe('retry', () => {
  const busy = (seconds: string) => json(429, { detail: 'slow down' }, { 'retry-after': seconds })

  it('repeats 429 and 503 after Retry-After', async () => {
    const started = performance.now()
    const { client, seen } = clientOf([
      busy('0.05'),
      json(503, {}, { 'retry-after': '0' }),
      json(200, { ok: true }),
    ])
    await client.chats.info('chat1')
    expect(seen).toHaveLength(3)
    expect(performance.now() - started).toBeGreaterThanOrEqual(45)
  })

  it('gives up after the configured number of tries, and at once on a longer wait or another status', async () => {
    const twice = clientOf([busy('0')], { retries: 1 })
    expect(await failure(twice.client.chats.info('chat1'))).toMatchObject({ status: 429, retryAfter: 0 })
    expect(twice.seen).toHaveLength(2)
    const long = clientOf([busy('31')])
    expect(await failure(long.client.chats.info('chat1'))).toMatchObject({ status: 429, retryAfter: 31 })
    expect(long.seen).toHaveLength(1)
    const off = clientOf([busy('0')], false)
    await failure(off.client.chats.info('chat1'))
    expect(off.seen).toHaveLength(1)
    const wrong = clientOf([json(400, { detail: 'no' }, { 'retry-after': '0' })])
    await failure(wrong.client.chats.info('chat1'))
    expect(wrong.seen).toHaveLength(1)
  })

  it('repeats after 408, 5xx and network errors only what has the same effect twice', async () => {
    const ok = json(200, {})
    const lost = () => {
      throw new TypeError('fetch failed')
    }
    const failures = [json(408, {}, { 'retry-after': '0' }), json(500, {}, { 'retry-after': '0' }), lost]
    for (const broken of failures) {
      const { client, seen } = clientOf([broken, ok])
      await client.chats.info('chat1')
      expect(seen).toHaveLength(2)
      const search = clientOf([broken, ok])
      await expect(search.client.answers.search('chat1', { query: 'q' })).rejects.toThrow()
      expect(search.seen).toHaveLength(1)
      const impatient = clientOf([broken, ok], { onlyBusy: true })
      await expect(impatient.client.chats.info('chat1')).rejects.toThrow()
      expect(impatient.seen).toHaveLength(1)
    }
  })

  it('sends a new trace with the same idempotency key in each try, and the next trace with another', async () => {
    const broken = json(500, {}, { 'retry-after': '0' })
    const { client, seen } = clientOf([broken, json(200, {})])
    await client.traces.create('proj_1', { input: 'a', output: 'b' })
    await client.traces.createBatch('proj_1', [{ input: 'a', output: 'b' }])
    await client.traces.create('proj_1', { input: 'a', output: 'b' }, { idempotencyKey: 'own' })
    const [first, second, third, fourth] = seen.map(({ headers }) => headers.get('idempotency-key'))
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    expect(fourth).toBe('own')
  })

  it('gives up a try without a response after the time limit', async () => {
    const silent: typeof globalThis.fetch = (_url, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    const options = { baseUrl: 'http://cairn.test', apiKey: 'tk_a_b', fetch: silent, retry: false } as const
    const client = createClient({ ...options, timeoutSeconds: 0.01 })
    await expect(client.chats.info('chat1')).rejects.toThrow('no response within 0.01 seconds')
  })

  it('stops waiting when the signal aborts', async () => {
    const { client, seen } = clientOf([busy('20')])
    const signal = AbortSignal.timeout(20)
    await expect(client.chats.info('chat1', { signal })).rejects.toThrow(/timeout|aborted/i)
    expect(seen).toHaveLength(1)
  })
})

describe('calls', () => {
  it('calls one project without its id', async () => {
    const { client, seen } = clientOf([json(200, {})])
    const project = client.project('proj_1')
    await project.traces.get('trc_1')
    await project.judging.batches.get('run_1')
    expect(seen.map(({ url }) => url.slice('http://cairn.test/base'.length))).toEqual([
      '/v1/proj_1/analytics/traces/trc_1',
      '/v1/proj_1/scorers/runs/run_1',
    ])
    expect(() => client.project()).toThrow('projectId')
  })

  it('sends each group its credential and escapes ids', async () => {
    const { client, seen } = clientOf([json(200, {})])
    await client.traces.get('proj_1', 'a/b?c')
    await client.console.keys.revoke('key_1')
    await client.graph.read('chat1')
    await client.health()
    expect(seen.map(({ url }) => url.slice('http://cairn.test/base'.length))).toEqual([
      '/v1/proj_1/analytics/traces/a%2Fb%3Fc',
      '/v1/console/keys/key_1',
      '/graph_data/chat1',
      '/v1/health',
    ])
    const credentials = seen.map(({ headers }) => [
      headers.get('authorization'),
      headers.get('x-admin-token'),
    ])
    expect(credentials).toEqual([
      ['Bearer tk_a_b', null],
      [null, 'admin'],
      [null, 'admin'],
      [null, null],
    ])
  })

  it('follows the cursor, and leaves out query fields without a value', async () => {
    const first = json(200, [{ trace_id: 'trc_2' }], { 'x-next-cursor': 'c 1' })
    const { client, seen } = clientOf([first, json(200, [{ trace_id: 'trc_1' }])])
    const ids: string[] = []
    for await (const { trace_id } of client.traces.list('proj_1', { limit: 1, status: 'error' }))
      ids.push(trace_id)
    expect(ids).toEqual(['trc_2', 'trc_1'])
    expect(seen.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=1&status=error',
      '?limit=1&status=error&cursor=c+1',
    ])
  })

  it('sends a parameter once for each value of a list', async () => {
    const { client, seen } = clientOf([json(200, [])])
    await Array.fromAsync(client.traces.list('proj_1', { tag: ['a', 'b,c'], model: 'm' }))
    expect(seen.map(({ url }) => new URL(url).search)).toEqual(['?tag=a&tag=b%2Cc&model=m'])
  })

  it('returns the health of an unhealthy server, and throws for a stopping server', async () => {
    const unhealthy = clientOf([json(503, health('unhealthy'))])
    expect((await unhealthy.client.health()).status).toBe('unhealthy')
    expect(unhealthy.seen).toHaveLength(1)
    const stopping = clientOf([json(503, { detail: 'the server is stopping' }, { 'retry-after': '0' })])
    expect(await failure(stopping.client.health())).toMatchObject({
      status: 503,
      message: 'the server is stopping',
    })
    expect(stopping.seen).toHaveLength(1)
  })

  it('sends a file with its name and scope values, and rejects a file without a name', async () => {
    const { client, seen } = clientOf([json(200, {})])
    await client.documents.upload('chat1', { file: new File(['x'], 'a.txt'), scopeValues: { floor: 0 } })
    const form = seen[0]?.body as FormData
    expect((form.get('file') as File).name).toBe('a.txt')
    expect(form.get('scope_values')).toBe('{"floor":0}')
    expect(seen[0]?.headers.has('content-type')).toBe(false)
    await expect(client.documents.upload('chat1', { file: new Blob(['x']) })).rejects.toThrow('filename')
  })
})

describe('answers.stream', () => {
  const events = (text: string) => () => new Response(text)
  const content = 'data: {"type":"content","data":"a"}\n\n'

  it('ends with the end event, or with an error event', async () => {
    for (const last of ['{"type":"end","data":{}}', '{"type":"error","data":"the model failed"}']) {
      const { client } = clientOf([events(`${content}data: ${last}\n\n`)])
      const seen = await Array.fromAsync(client.answers.stream('chat1', { question: 'q' }))
      expect(seen).toEqual([{ type: 'content', data: 'a' }, JSON.parse(last)])
    }
  })

  it('throws if the connection closes earlier', async () => {
    const { client } = clientOf([events(content)])
    const answer = Array.fromAsync(client.answers.stream('chat1', { question: 'q' }))
    await expect(answer).rejects.toThrow('before the answer was complete')
  })
})
