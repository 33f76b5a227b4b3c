import { createClient, type Trace, type Tracing, tracing } from '@cairn/sdk'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { StubProvider } from '../support/provider.ts'
import { type Server, startServer } from '../support/server.ts'

describe('the tracing helper', () => {
  let server: Server
  let provider: StubProvider
  let tenant: Tenant
  let traced: Tracing
  let openai: OpenAI
  const lost: [number, string][] = []

  beforeAll(async () => {
    server = await startServer()
    provider = await StubProvider.start()
  })
  afterAll(async () => {
    provider?.stop()
    await server?.stop()
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url)
    const { projectId } = tenant
    const client = createClient({ baseUrl: server.url, apiKey: tenant.projectKey, projectId })
    traced = tracing(client, { onDropped: (count, reason) => lost.push([count, reason]) })
    openai = new OpenAI({ apiKey: 'sk-test', baseURL: `${provider.url}/openai/v1`, maxRetries: 0 })
    provider.script = () => ({ pieces: ['Forty', '-two.'], tokens: { prompt: 12, completion: 3 } })
    lost.length = 0
  })
  afterEach(() => traced.close())

  /** Every trace of the project, oldest first. */
  async function recorded(): Promise<Trace[]> {
    await traced.flush()
    const { traces } = createClient({ baseUrl: server.url, apiKey: tenant.projectKey }).project(
      tenant.projectId,
    )
    const listed = await Array.fromAsync(traces.list())
    return Promise.all(listed.toReversed().map(({ trace_id }) => traces.get(trace_id)))
  }

  it('records nested functions as one trace with their inputs, outputs and times', async () => {
    const answer = await traced.trace('answer', async (root) => {
      root.set({ input: 'What is it?' }).setTrace({ session_id: 's-1', user_id: 'u-1', tags: ['beta'] })
      const found = await traced.span('search', async (span) => {
        span.set({ kind: 'retrieval', input: { query: 'it' }, attributes: { limit: 2 } })
        return ['a', 'b']
      })
      const text = traced.span('format', () => found.join(' and '))
      return text
    })
    expect(answer).toBe('a and b')
    const [trace] = await recorded()
    expect(trace).toMatchObject({
      name: 'answer',
      input: 'What is it?',
      output: 'a and b',
      status: 'success',
      session_id: 's-1',
      user_id: 'u-1',
      tags: ['beta'],
    })
    expect(trace?.spans).toMatchObject([
      { name: 'answer', span_id: '1', output: 'a and b' },
      { name: 'search', parent_id: '1', kind: 'retrieval', input: { query: 'it' }, output: ['a', 'b'] },
      { name: 'format', parent_id: '1', output: 'a and b' },
    ])
    const [root, search, format] = trace?.spans ?? []
    const times = [root?.start_ms, search?.start_ms, search?.end_ms, format?.end_ms, root?.end_ms].map(Number)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(trace?.latency_ms).toBeCloseTo(Number(root?.end_ms) - Number(root?.start_ms), 2)
    expect(Date.parse(trace?.created_at ?? '')).toBe(Math.floor(Number(root?.start_ms)))
  })

  it('keeps concurrent traces apart', async () => {
    const names = Array.from({ length: 20 }, (_, number) => `t${number}`)
    await Promise.all(
      names.map((name) =>
        traced.trace(name, async () => {
          await new Promise(setImmediate)
          await traced.span(`${name} step`, async () => new Promise(setImmediate))
        }),
      ),
    )
    const traces = await recorded()
    expect(traces.map(({ spans }) => spans.map(({ name }) => name)).sort()).toEqual(
      names.map((name) => [name, `${name} step`]).sort(),
    )
  })

  it('throws errors on, and records them on the span and on the trace of a failed root', async () => {
    const failing = traced.trace('outer', async () => {
      await traced
        .span('caught', async () => Promise.reject(new RangeError('too far')))
        .catch(() => undefined)
      return 'fine'
    })
    expect(await failing).toBe('fine')
    const boom = () =>
      traced.trace('broken', () => {
        throw new TypeError('no such thing')
      })
    expect(boom).toThrow(TypeError)
    const [fine, broken] = await recorded()
    expect(fine).toMatchObject({ status: 'success', output: 'fine' })
    expect(fine?.spans[1]).toMatchObject({ status: 'error', error: 'RangeError: too far' })
    expect(broken).toMatchObject({ status: 'error', error: 'TypeError: no such thing' })
  })

  it('records calls of the openai package with messages, answer, model and tokens', async () => {
    const wrapped = traced.wrapOpenAI(openai)
    const messages = [{ role: 'user' as const, content: 'How many?' }]
    await traced.trace('ask', async (root) => {
      root.set({ input: 'How many?' })
      const { choices } = await wrapped.chat.completions.create({ model: 'gpt-4o', messages, temperature: 0 })
      expect(choices[0]?.message.content).toBe('Forty-two.')
      const { data, response } = await wrapped.chat.completions
        .create({ model: 'gpt-4o', messages })
        .withResponse()
      expect([data.model, response.status]).toEqual(['stub', 200])
      await wrapped.embeddings.create({ model: 'text-embedding-3-small', input: ['a', 'b'] })
      return choices[0]?.message.content
    })
    const [trace] = await recorded()
    expect(trace).toMatchObject({ output: 'Forty-two.', model: 'stub' })
    expect(trace?.token_usage).toMatchObject({ completion_tokens: 6 })
    expect(trace?.spans.slice(1)).toMatchObject([
      {
        name: 'chat.completions.create',
        parent_id: '1',
        kind: 'llm',
        input: messages,
        output: 'Forty-two.',
        model: 'stub',
        token_usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
        attributes: { temperature: 0 },
      },
      { name: 'chat.completions.create', output: 'Forty-two.' },
      { name: 'embeddings.create', kind: 'embedding', input: ['a', 'b'], output: '2 vectors' },
    ])
  })

  it('records a stream that is read after its trace has returned, or left early, or copied', async () => {
    const wrapped = traced.wrapOpenAI(openai)
    const ask = () =>
      wrapped.chat.completions.create({
        model: 'gpt-4o',
        messages: [{ role: 'user', content: 'Count.' }],
        stream: true,
        stream_options: { include_usage: true },
      })
    const stream = await traced.trace('whole', ask)
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('Forty-two.')
    for await (const chunk of await traced.trace('left', ask)) if (chunk.choices[0]?.delta.content) break
    const [one, two] = (await traced.trace('copied', ask)).tee()
    expect(
      (await Promise.all([Array.fromAsync(one), Array.fromAsync(two)])).map(({ length }) => length),
    ).toEqual([5, 5])
    const traces = await recorded()
    const calls = traces.map(({ name, spans }) => [
      name,
      spans[1]?.output,
      spans[1]?.token_usage?.prompt_tokens,
    ])
    expect(calls).toEqual([
      ['whole', 'Forty-two.', 12],
      ['left', 'Forty', undefined],
      ['copied', 'Forty-two.', 12],
    ])
    expect(traces[0]?.spans[1]?.events).toMatchObject([{ name: 'first_chunk' }])
  })

  it('records a failed call, and throws its error on', async () => {
    provider.script = () => ({ refuse: { status: 400, body: { error: { message: 'bad model' } } } })
    const wrapped = traced.wrapOpenAI(openai)
    const messages = [{ role: 'user' as const, content: 'x' }]
    await expect(wrapped.chat.completions.create({ model: 'no', messages })).rejects.toThrow('bad model')
    const [trace] = await recorded()
    expect(trace).toMatchObject({ name: 'chat.completions.create', status: 'error', model: 'no' })
    expect(trace?.error).toContain('bad model')
  })

  it('sends what is not JSON as text, and never throws into the application', async () => {
    const circular: Record<string, unknown> = { big: 10n }
    circular.self = circular
    await traced.trace('odd', async (root) => {
      root.set({ input: circular, attributes: { circular } })
      return new Response('a stream')
    })
    const [trace] = await recorded()
    expect(trace?.spans[0]).toMatchObject({ input: { big: '10', self: '[circular]' } })
    expect(trace?.output).toBe('')
    expect(lost).toEqual([])
  })

  it('counts traces that the server rejects, and traces beyond the limit while it is away', async () => {
    const client = createClient({
      baseUrl: server.url,
      apiKey: tenant.projectKey,
      projectId: tenant.projectId,
    })
    await traced.trace('wrong', (root) => root.setTrace({ cost: -1 }) && 1)
    await traced.flush()
    expect(lost).toEqual([[1, expect.stringContaining('cost')]])
    const away = {
      baseUrl: 'http://127.0.0.1:9',
      apiKey: 'tk_a_b',
      projectId: 'proj_1',
      retry: false as const,
    }
    const reasons: string[] = []
    const offline = tracing(createClient(away), {
      maxWaiting: 2,
      onDropped: (count, reason) => reasons.push(`${count}: ${reason}`),
    })
    for (const name of ['a', 'b', 'c']) offline.trace(name, () => 1)
    await offline.close()
    expect([offline.dropped, reasons]).toEqual([
      3,
      ['1: too many traces are waiting for the server', '2: the server could not be reached before the end'],
    ])
    expect(client.project().projectId).toBe(tenant.projectId)
  })

  it('keeps a bounded number of traces and characters while the server is away, and reports the rest once', async () => {
    const away = {
      baseUrl: 'http://127.0.0.1:9',
      apiKey: 'tk_a_b',
      projectId: 'proj_1',
      retry: false as const,
    }
    const reports: string[] = []
    const onDropped = (count: number, reason: string) => reports.push(`${count}: ${reason}`)
    const offline = tracing(createClient(away), { onDropped })
    for (let count = 0; count < 12_000; count++) offline.trace('small', () => 1)
    expect(offline.dropped).toBe(2000)
    expect(reports).toEqual([])
    await offline.close()
    const before = 'the server could not be reached before the end'
    const beyond = 'too many traces are waiting for the server'
    expect(reports).toEqual([`2000: ${beyond}`, `10000: ${before}`])
    const large = tracing(createClient(away), { onDropped: (count) => reports.push(String(count)) })
    const text = 'x'.repeat(1_000_000)
    for (let count = 0; count < 60; count++) large.trace('large', (root) => root.set({ output: text }) && 1)
    // 50 million characters are 49 traces of a million with their names and times.
    expect(large.dropped).toBe(11)
    await large.close()
    expect(large.dropped).toBe(60)
  })
})
