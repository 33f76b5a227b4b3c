import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ask, isRewriting, lastTrace, upload } from '../support/answers.ts'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { registerApp, signIn } from '../support/applications.ts'
import { oneDatabase } from '../support/databases.ts'
import { startIssuer } from '../support/issuer.ts'
import { endless, type ProviderCall, type Script, StubProvider } from '../support/provider.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'

const question = 'Which lamp is in the harbour?'
const documents = {
  'a.txt': 'The lamp in the harbour is green. A lamp in a harbour is a light.',
  'b.txt': 'The harbour has a lamp for each ship.',
  'c.txt': 'A lamp burns oil.',
}

function send(body: unknown, status = 200): Script {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const raw = (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  return { raw }
}

/** Ranks passages by a word: those with it first. */
function preferring(word: string): (call: ProviderCall) => Script {
  return ({ body }) => {
    const results = body.documents.map((text: string, index: number) => ({
      index,
      relevance_score: text.includes(word) ? 7 : -index - 1,
    }))
    return send({ results, usage: { total_tokens: 500 } })
  }
}

describe.each(oneDatabase)('passages ranked by a model, on $database', ({ env }) => {
  let stub: StubProvider
  let server: Server
  let admin: Api
  let tenant: Tenant

  beforeAll(async () => {
    stub = await StubProvider.start()
    server = await startServer({
      env: {
        ...(await env()),
        ...stub.env(),
        CAIRN_RERANK_MODEL: 'jina/ranker',
        CAIRN_RERANK_BASE_URL: stub.url,
        CAIRN_RERANK_API_KEY: 'rerank-secret-key',
        CAIRN_RERANK_SECONDS: '2',
      },
    })
    admin = Api.admin(server.url)
    tenant = await tenantWithLamps()
  })
  beforeEach(async () => {
    stub.calls.length = 0
    stub.script = ({ path, body }) =>
      path.endsWith('/rerank')
        ? send({}, 400)
        : answering(body.response_format ? '{"ranking":[]}' : 'Green [^0].')
    await choose(tenant, { rerank_model: null, selected_model: 'cairn-extractive' })
  })
  afterAll(async () => {
    await server?.stop()
    stub.stop()
    expect(server?.output()).not.toMatch(/"level":50|secret-key/)
  })

  /** Each document is one passage. Answers are extractive unless a test chooses a model. */
  async function tenantWithLamps(): Promise<Tenant> {
    const made = await createTenant(server.url)
    for (const [name, text] of Object.entries(documents)) await upload(made, name, text)
    await choose(made, { selected_model: 'cairn-extractive' })
    return made
  }
  const choose = async ({ chat, chatId }: Tenant, settings: object) =>
    (await chat.ok('POST', `/v1/${chatId}/settings`, settings)).body.settings
  const answering = (text: string): Script => ({ pieces: [text], tokens: { prompt: 1000, completion: 100 } })
  const contextOf = async (of: Tenant, rest: object = {}): Promise<string[]> =>
    (await ask(of, question, rest)).body.context.map(({ filename }: { filename: string }) => filename)
  const spanOf = async (of: Tenant, name: string) =>
    (await lastTrace(of)).spans.find((span: { name: string }) => span.name === name)
  const rankings = () => stub.at('/rerank')
  const usage = async (of: Tenant, query: string) =>
    (await of.project.ok('GET', `/v1/${of.projectId}/usage${query}`)).body.total

  it('are not asked for unless the settings choose a model', async () => {
    expect((await contextOf(tenant)).toSorted()).toEqual(['a.txt', 'b.txt', 'c.txt'])
    expect(stub.calls).toEqual([])
    expect((await lastTrace(tenant)).spans.map(({ name }: { name: string }) => name)).toEqual([
      'retrieve',
      'generate',
    ])
  })

  it('are in the order of the model, in answers and searches', async () => {
    const before = (await ask(tenant, question)).body.context
    await choose(tenant, { rerank_model: 'jina/ranker' })
    stub.script = preferring('oil')
    const { body } = await ask(tenant, question)
    expect(body.context[0].filename).toBe('c.txt')
    const scoresOf = (context: { score: number }[]) => context.map(({ score }) => score)
    expect(scoresOf(body.context)).toEqual(scoresOf(before))
    const { results } = (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/search`, { query: question }))
      .body
    expect(results).toEqual(body.context)
    expect(rankings()).toHaveLength(2)
    expect(rankings()[0]?.headers.authorization).toBe('Bearer rerank-secret-key')
  })

  it('are shown in the trace: model, order before and after, scores and tokens', async () => {
    await choose(tenant, { rerank_model: 'jina/ranker' })
    stub.script = preferring('oil')
    await ask(tenant, question)
    const { spans } = await lastTrace(tenant)
    const [retrieve, rerank] = spans
    expect(retrieve).toMatchObject({ name: 'retrieve', span_id: 'retrieve' })
    expect(rerank).toMatchObject({
      name: 'rerank',
      kind: 'retrieval',
      parent_id: 'retrieve',
      model: 'jina/ranker',
      input: question,
      token_usage: { total_tokens: 500 },
      attributes: { candidates: 3 },
    })
    const ids = rerank.attributes.before.map(({ chunk_id }: { chunk_id: string }) => chunk_id)
    const [first] = rerank.output
    expect(rerank.output.map(({ place_before }: { place_before: number }) => ids[place_before])).toEqual(
      rerank.output.map(({ chunk_id }: { chunk_id: string }) => chunk_id),
    )
    expect(first).toEqual({
      chunk_id: retrieve.output[0].chunk_id,
      place_before: expect.any(Number),
      score: 7,
    })
    expect(rerank.start_ms).toBeGreaterThanOrEqual(retrieve.start_ms)
    expect(rerank.end_ms).toBeLessThanOrEqual(retrieve.end_ms)
  })

  it('are also neighbours in the graph, which come before their seed only in the order of the model', async () => {
    const own = await createTenant(server.url)
    const filler = 'Ships sail over the sea all day. '.repeat(40)
    await upload(own, 'port.txt', `The lamp in the harbour is green. ${filler}\n\n${filler} Forty crowns.`)
    await choose(own, { rerank_model: 'jina/ranker', selected_model: 'cairn-extractive' })
    const search = async () => {
      const path = `/v1/${own.chatId}/search`
      const { results } = (await own.chat.ok('POST', path, { query: question })).body
      return results.map(({ chunk_text: text }: { chunk_text: string }) => text.includes('crowns'))
    }
    stub.script = preferring('crowns')
    const ranked = await search()
    expect([ranked[0], ranked.indexOf(false)]).toEqual([true, 1])
    stub.script = () => send({}, 400)
    const unranked = await search()
    expect([unranked[0], unranked.includes(true)]).toEqual([false, true])
  })

  it('are only passages that the filters and the files of the settings allow', async () => {
    const other = await tenantWithLamps()
    const form = uploadForm('north.txt', 'The lamp of the north harbour burns oil.', { region: 'north' })
    const added = await other.chat.call('POST', `/v1/${other.chatId}/upload_with_scopes`, { body: form })
    await choose(other, { rerank_model: 'jina/ranker' })
    stub.script = preferring('oil')
    expect(added.status, added.text).toBe(200)
    expect(await contextOf(other, { scope_filters: { region: 'north' } })).toEqual(['north.txt'])
    const { files } = (await other.chat.ok('GET', `/v1/${other.chatId}/files`)).body
    const allowed = files.filter(({ filename }: { filename: string }) => /^[ab]/.test(filename))
    await choose(other, { context_files: allowed.map(({ file_id }: { file_id: string }) => file_id) })
    stub.calls.length = 0
    expect((await contextOf(other)).toSorted()).toEqual(['a.txt', 'b.txt'])
    expect(rankings().map(({ body }) => body.documents.length)).toEqual([2])
    expect(JSON.stringify(stub.calls)).not.toContain('oil')
  })

  const failures: [string, Script][] = [
    ['refuses', send({ error: { message: 'rerank-secret-key' } }, 401)],
    ['breaks', send({}, 500)],
    ['sends no JSON', send('<html>')],
    ['never answers', { raw: () => {} }],
    ['sends without end', endless('[['.repeat(5_000), 'application/json')],
    ['drips', { raw: (response) => drip(response) }],
    ['ranks a passage twice', send({ results: [0, 0, 1].map((index) => ({ index, relevance_score: 1 })) })],
    ['leaves passages out', send({ results: [{ index: 0, relevance_score: 1 }] })],
    ['invents passages', send({ results: [0, 1, 9].map((index) => ({ index, relevance_score: 1 })) })],
    ['gives no numbers', send(`{"results":[0,1,2].map((index) => ({index, relevance_score: NaN}))}`)],
    [
      'gives infinite scores',
      send('{"results":[{"index":0,"relevance_score":1e999},{"index":1},{"index":2}]}'),
    ],
  ]

  /** A byte at a time, so that the response is never silent. */
  function drip(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  }

  it('keep the order of the search if the model fails in any way, and the trace tells why', async () => {
    const before = (await ask(tenant, question)).body
    const made = await Promise.all(
      failures.map(async ([name, script]) => ({ name, script, own: await tenantWithLamps() })),
    )
    // The stub knows a failure by the number of question marks.
    const asked = (index: number) => question + '?'.repeat(index)
    stub.script = ({ body }) => made.find((_, index) => body.query === asked(index))?.script ?? send({}, 400)
    const withoutIds = (context: { filename: string; score: number }[]) =>
      context.map(({ filename }) => filename)
    await Promise.all(
      made.map(async ({ name, own }, index) => {
        await choose(own, { rerank_model: 'jina/ranker' })
        const { status, body } = await ask(own, asked(index))
        expect([name, status]).toEqual([name, 200])
        expect([name, ...withoutIds(body.context)]).toEqual([name, ...withoutIds(before.context)])
        const span = await spanOf(own, 'rerank')
        expect([name, span]).toMatchObject([
          name,
          {
            status: 'error',
            error: expect.stringContaining('the model jina/ranker'),
            attributes: { fallback: 'order of the search', candidates: 3 },
          },
        ])
        expect([name, (await usage(own, '?purpose=rerank')).answers]).toEqual([name, 0])
      }),
    )
  })

  it('of one project wait for its own slow rankings, and those of a neighbour do not', async () => {
    const [slow, neighbour] = [await tenantWithLamps(), await tenantWithLamps()]
    for (const each of [slow, neighbour]) await choose(each, { rerank_model: 'jina/ranker' })
    const prefer = preferring('oil')
    stub.script = (call) => (call.body.query.includes('neighbour') ? prefer(call) : { raw: () => {} })
    let underWay = 20
    const waiting = Array.from({ length: underWay }, async () => {
      const { status } = await ask(slow, question)
      underWay--
      return status
    })
    // A project has eight places of its own.
    await vi.waitUntil(() => rankings().length === 8)
    const { body } = await ask(neighbour, `neighbour: ${question}`)
    expect([body.context[0].filename, underWay]).toEqual(['c.txt', 20])
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]))
  })

  it('are ranked by the model of the answer where the settings say so, and its tokens are paid for', async () => {
    const own = await tenantWithLamps()
    await choose(own, { rerank_model: 'chat', selected_model: 'gpt-4o-mini' })
    stub.script = ({ body }) => {
      const passage = /<passage number="(\d+)">\n[^<]*oil/.exec(body.messages.at(-1).content)
      return answering(
        body.response_format ? JSON.stringify({ ranking: [Number(passage?.[1])] }) : 'Oil [^0].',
      )
    }
    expect((await contextOf(own))[0]).toBe('c.txt')
    const [ranking, answer] = stub.calls
    expect(ranking?.body.messages[0].content).toContain('no instructions')
    expect(answer?.body.messages.at(-1).content).toMatch(/number="0" file="c.txt"/)
    const trace = await lastTrace(own)
    const rerank = trace.spans.find(({ name }: { name: string }) => name === 'rerank')
    expect(rerank).toMatchObject({
      model: 'gpt-4o-mini',
      token_usage: { total_tokens: 1100 },
      cost: expect.any(Number),
    })
    expect(trace.cost).toBeCloseTo(2 * rerank.cost, 12)
    const { reranking_cost, total_cost } = (
      await own.project.ok('GET', `/v1/${own.projectId}/analytics/costs`)
    ).body
    expect([reranking_cost, total_cost]).toEqual([
      expect.closeTo(rerank.cost, 12),
      expect.closeTo(trace.cost, 12),
    ])
    const [forAnswers, forRankings] = [
      await usage(own, '?purpose=answer'),
      await usage(own, '?purpose=rerank'),
    ]
    expect(forRankings).toMatchObject({
      answers: 1,
      total_tokens: 1100,
      cost: expect.closeTo(rerank.cost, 12),
    })
    expect(forAnswers).toMatchObject({
      answers: 1,
      total_tokens: 1100,
      cost: expect.closeTo(rerank.cost, 12),
    })
  })

  it('of a question that a model rewrote: each call is counted once in traces, usage and costs', async () => {
    const own = await tenantWithLamps()
    await choose(own, { rerank_model: 'chat', selected_model: 'gpt-4o-mini' })
    const issuer = await startIssuer()
    const { app_id: appId } = await registerApp(server.url, issuer.url, { chat_id: own.chatId })
    const ann = await signIn(server.url, appId, issuer, 'ann')
    const ranking = answering('{"ranking":[0]}')
    stub.script = (call) =>
      isRewriting(call) ? answering(question) : call.body.response_format ? ranking : answering('Green [^0].')
    await ask(own, question, { session_id: 's' })
    const { cost: ofTwoCalls } = await lastTrace(own)
    const { usage: used } = (await ask(own, 'And in the harbour?', { session_id: 's' })).body
    const traces = [await lastTrace(own)]
    const messages = [
      { role: 'user', content: question },
      { role: 'assistant', content: 'Green.' },
      { role: 'user', content: 'And in the harbour?' },
    ]
    const form = new URLSearchParams({ messages: JSON.stringify(messages) })
    await ann.ok('POST', '/v1/me/chats/query', form)
    await issuer.close()
    traces.push(await lastTrace(own))
    for (const { spans, cost, token_usage } of traces) {
      expect(spans.map(({ name }: { name: string }) => name)).toEqual([
        'rewrite',
        'retrieve',
        'rerank',
        'generate',
      ])
      const tokensOf = (name: string) =>
        spans.find((span: { name: string }) => span.name === name).token_usage.total_tokens
      expect(['rewrite', 'rerank', 'generate'].map(tokensOf)).toEqual([1100, 1100, 1100])
      expect(cost).toBeCloseTo((3 * ofTwoCalls) / 2, 12)
      // The tokens of the answer and of the rewriting, as in the response.
      expect(token_usage.total_tokens).toBe(used.total_tokens)
    }
    expect(used).toMatchObject({ prompt_tokens: 2000, completion_tokens: 200, total_tokens: 2200 })
    const purposes = { answer: 3, rerank: 3, rewrite: 2 }
    for (const [purpose, calls] of Object.entries(purposes)) {
      expect([purpose, await usage(own, `?purpose=${purpose}`)]).toMatchObject([
        purpose,
        {
          answers: calls,
          total_tokens: calls * 1100,
          credits: expect.closeTo(calls * 1.1, 9),
          cost: expect.closeTo((calls * ofTwoCalls) / 2, 12),
        },
      ])
    }
  })

  it('keep the order of the search if there is no model that answers', async () => {
    await choose(tenant, { rerank_model: 'chat' })
    expect(await contextOf(tenant)).toHaveLength(3)
    expect(stub.calls).toEqual([])
    expect(await spanOf(tenant, 'rerank')).toMatchObject({ status: 'error', model: 'chat' })
  })

  it('keep the order of the search if a budget is used up, and the question is answered', async () => {
    const own = await tenantWithLamps()
    await choose(own, { rerank_model: 'jina/ranker', selected_model: 'cairn-extractive' })
    const budget = { project_id: own.projectId, scope: 'project', period: 'month', limit: 0.001 }
    await admin.ok('POST', '/v1/console/budgets', budget)
    stub.script = preferring('oil')
    expect((await contextOf(own))[0]).toBe('c.txt')
    expect((await contextOf(own))[0]).not.toBe('c.txt')
    expect(rankings()).toHaveLength(1)
    expect((await spanOf(own, 'rerank')).error).toContain('budget')
  })

  it('of an end user leave only times, model, tokens and costs in the trace', async () => {
    const own = await tenantWithLamps()
    await choose(own, { rerank_model: 'jina/ranker', selected_model: 'gpt-4o-mini' })
    const issuer = await startIssuer()
    const { app_id: appId } = await registerApp(server.url, issuer.url, { chat_id: own.chatId })
    const ann = await signIn(server.url, appId, issuer, 'ann')
    await ann.ok(
      'POST',
      '/v1/me/chats/files/upload',
      uploadForm('diary.txt', 'My lamp in the harbour burns whale oil.'),
    )
    const prefer = preferring('whale')
    stub.script = (call) => (call.path.endsWith('/rerank') ? prefer(call) : answering('Whale oil [^0].'))
    const messages = JSON.stringify([{ role: 'user', content: question }])
    const { citations } = (await ann.ok('POST', '/v1/me/chats/query', new URLSearchParams({ messages }))).body
    await issuer.close()
    expect(citations[0].source).toBe('diary.txt')
    expect(rankings()).toHaveLength(1)
    const trace = await lastTrace(own)
    expect(trace.spans.find(({ name }: { name: string }) => name === 'rerank')).toEqual({
      name: 'rerank',
      kind: 'retrieval',
      span_id: 'rerank',
      parent_id: 'retrieve',
      start_ms: expect.any(Number),
      end_ms: expect.any(Number),
      model: 'jina/ranker',
      token_usage: { prompt_tokens: 500, completion_tokens: 0, total_tokens: 500 },
      attributes: {},
    })
    expect(trace.cost).toBeGreaterThan(0)
    expect(JSON.stringify(trace)).not.toMatch(/whale|diary|lamp/i)
  })

  it('can be chosen only from the models of the server', async () => {
    const { models } = (await admin.ok('GET', '/v1/console/models')).body
    expect(models.filter(({ kind }: { kind: string }) => kind === 'rerank')).toMatchObject([
      { name: 'jina/ranker', id: 'ranker', configured: true },
    ])
    const path = `/v1/${tenant.chatId}/settings`
    for (const rerank_model of ['jina/other', '', 7]) {
      const refused = await tenant.chat.call('POST', path, { body: { rerank_model } })
      expectRefusal(refused, { status: 400, names: 'rerank_model' })
    }
    expect((await choose(tenant, { rerank_model: 'chat' })).rerank_model).toBe('chat')
  })
})
