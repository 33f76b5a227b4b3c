import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lastTrace, upload } from '../support/answers.ts'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { LiveStream } from '../support/live-stream.ts'
import { StubProvider } from '../support/provider.ts'
import { type Server, startServer } from '../support/server.ts'

const question = 'How many books may a member borrow?'

describe.each(databases)('streamed answers, on $database', ({ env }) => {
  let stub: StubProvider
  let environment: Record<string, string>
  let server: Server
  let tenant: Tenant

  beforeAll(async () => {
    stub = await StubProvider.start()
    environment = {
      ...(await env()),
      ...stub.env(),
      CAIRN_HEARTBEAT_SECONDS: '1',
      CAIRN_SHUTDOWN_SECONDS: '4',
    }
    server = await startServer({ env: environment })
  })
  beforeEach(async () => {
    stub.calls.length = 0
    tenant = await createTenant(server.url)
    await upload(tenant, 'lending.md', 'Members may borrow up to twelve books for four weeks.')
  })
  afterAll(async () => {
    await server.stop()
    stub.stop()
    expect(server.output()).not.toMatch(/"level":50/)
  })

  const open = () => LiveStream.open(tenant.chat, `/v1/${tenant.chatId}/answer_question_stream`, { question })
  const types = (stream: LiveStream) => stream.events.map(({ type }) => type)

  it('arrive word by word while the model is still generating', async () => {
    const heard = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    stub.script = () => ({
      pieces: ['Up', ' to', ' twelve', ' books', ' [^0].'],
      before: (index) => heard[index - 1]?.promise,
    })
    const stream = await open()
    await stream.wait(({ content }) => content === 'Up')
    expect(stream.events[0]).toMatchObject({ type: 'context', data: [{ filename: 'lending.md' }] })
    heard[0]?.resolve()
    await stream.wait(({ content }) => content === 'Up to')
    expect(types(stream)).not.toContain('end')
    heard[1]?.resolve()
    await stream.ended
    expect(stream.content).toBe('Up to twelve books [^0].')
    expect(types(stream).at(-1)).toBe('end')
    expect(stream.text).not.toContain('[DONE]')
  })

  it('are not counted as failures of the server if their clients disconnect before the first event', async () => {
    const path = `/v1/${tenant.chatId}/answer_question_stream`
    const headers = { ...tenant.chat.credential, 'content-type': 'application/json' }
    // There is no provider, so no model call needs to be aborted.
    const body = JSON.stringify({ question, selected_model: 'cairn-extractive' })
    const leave = async (afterMs: number) => {
      const call = request(server.url + path, { method: 'POST', headers, agent: false }).on('error', () => {})
      await new Promise<void>((resolve) => call.end(body, () => resolve()))
      await pause(afterMs)
      call.destroy()
    }
    // Different delays, so that clients disconnect at different steps of the answer.
    for (let at = 0; at < 60; at++) await leave(at % 15)
    const stream = await open()
    await stream.ended
    expect(types(stream).at(-1)).toBe('end')
    expect(server.output()).not.toMatch(/Premature close|"level":[456]0/)
  })

  it('keep an idle connection open, and send the context early if the first word is late', async () => {
    stub.script = () => ({ pieces: ['Twelve.'], pauseMs: 2600 })
    const stream = await open()
    await stream.wait(({ text }) => text.includes(': keep-alive\n\n'))
    expect(types(stream)).toEqual(['context'])
    await stream.ended
    expect(types(stream)).toEqual(['context', 'content', 'end'])
    expect(stream.text.match(/^: keep-alive$/gm)?.length).toBeGreaterThan(2)
  })

  it('end with a client disconnect: the model call is aborted, and the trace has the partial answer', async () => {
    stub.script = () => ({ pieces: ['Twelve', ' books'], ending: 'hang' })
    const stream = await open()
    await stream.wait(({ content }) => content === 'Twelve books')
    stream.leave()
    await expect.poll(() => stub.calls[0]?.aborted).toBe(true)
    await expect.poll(async () => (await lastTrace(tenant)).output).toBe('Twelve books')
    expect(await lastTrace(tenant)).toMatchObject({
      status: 'error',
      error: expect.stringContaining('client disconnected'),
      token_usage: { completion_tokens: expect.any(Number) },
    })
  })

  it('end with a client disconnect before the first word, also without streaming', async () => {
    stub.script = () => ({ ending: 'hang' })
    for (const path of ['answer_question_stream', 'answer_question']) {
      stub.calls.length = 0
      const controller = new AbortController()
      const call = fetch(`${server.url}/v1/${tenant.chatId}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...tenant.chat.credential },
        body: JSON.stringify({ question: `${question} ${path}` }),
        signal: controller.signal,
      })
      call.catch(() => {})
      await expect.poll(() => stub.calls.length).toBe(1)
      await pause(100)
      controller.abort()
      await expect.poll(() => stub.calls[0]?.aborted).toBe(true)
      await expect.poll(async () => (await lastTrace(tenant)).input).toContain(path)
      expect(await lastTrace(tenant)).toMatchObject({ status: 'error', output: '', token_usage: null })
    }
  })

  it('that do not end are aborted before the shutdown times out, with an error and a trace', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'cairn-stopping-'))
    stub.script = () => ({ pieces: ['Up', ' to'], ending: 'hang' })
    const kept = await startServer({ env: environment, dataDir })
    const of = await createTenant(kept.url)
    await upload(of, 'lending.md', 'Members may borrow up to twelve books for four weeks.')
    const stream = await LiveStream.open(of.chat, `/v1/${of.chatId}/answer_question_stream`, { question })
    await stream.wait(({ content }) => content === 'Up to')
    kept.signal('SIGTERM')
    await stream.ended
    expect(stream.events.at(-1)).toEqual({
      type: 'error',
      data: 'the server is stopping',
      error: { type: 'overloaded', request_id: expect.any(String) },
    })
    expect(await kept.exited).toBe(0)
    const again = await startServer({ env: environment, dataDir })
    const later = { ...of, project: new Api(again.url, of.project.credential) }
    expect(await lastTrace(later)).toMatchObject({
      status: 'error',
      output: 'Up to',
      error: 'the server is stopping',
    })
    await again.stop()
    await rm(dataDir, { recursive: true })
  })

  // The last one, because it ends the server of this suite.
  it('are completed during a server shutdown', async () => {
    const stopping = Promise.withResolvers<void>()
    stub.script = () => ({
      pieces: ['Up', ' to', ' twelve'],
      pauseMs: 300,
      before: (index) => (index === 0 ? undefined : stopping.promise),
    })
    const stream = await open()
    await stream.wait(({ content }) => content === 'Up')
    server.signal('SIGTERM')
    stopping.resolve()
    await stream.ended
    expect(stream.content).toBe('Up to twelve')
    expect(types(stream).at(-1)).toBe('end')
    expect(await server.exited).toBe(0)
  })
})
