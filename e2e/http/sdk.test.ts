import { CairnApiError, type Client, createClient } from '@cairn/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { samplePdf } from '../../server/src/domains/documents/extraction/pdf.test-samples.ts'
import { createTenant, type Tenant } from '../support/api.ts'
import { adminToken, type Server, startServer } from '../support/server.ts'

const notes = `# Garden

The pump in the greenhouse runs for eleven minutes each morning.

Tomatoes are planted out on the fifteenth of May.
`
const question = 'How long does the pump run?'

describe('the SDK', () => {
  let server: Server
  let tenant: Tenant
  let admin: Client
  let project: Client
  let chat: Client

  beforeAll(async () => {
    server = await startServer()
    tenant = await createTenant(server.url)
    admin = createClient({ baseUrl: server.url, adminToken })
    project = createClient({ baseUrl: server.url, apiKey: tenant.projectKey })
    chat = createClient({ baseUrl: server.url, apiKey: tenant.chatKey })
  })
  afterAll(() => server?.stop())

  it('reads the health of the server without a credential', async () => {
    const open = createClient({ baseUrl: `${server.url}/` })
    expect(await open.health()).toMatchObject({ status: 'healthy', services: { database: 'healthy' } })
    expect(await open.ready()).toEqual({ ready: true })
  })

  it('creates a project and a chat, and gets a cited answer with its trace', async () => {
    const { project_id } = await admin.console.projects.create({ name: 'by SDK' })
    const created = await admin.console.chats.create(project_id, { title: 'garden' })
    expect(created.published).toBe(false)
    const { chat_id } = await admin.console.chats.publish(created.chat_id)
    const chatKey = await admin.console.keys.createForChat(chat_id)
    const projectKey = await admin.console.keys.createForProject(project_id, { permissions: ['read'] })
    const asker = createClient({ baseUrl: server.url, apiKey: chatKey.api_key })
    const reader = createClient({ baseUrl: server.url, apiKey: projectKey.api_key })

    const file = new File([notes], 'garden.md')
    const uploaded = await asker.documents.upload(chat_id, { file, scopeValues: { year: 2026 } })
    expect(uploaded).toMatchObject({ filename: 'garden.md', scope_values: { year: 2026 } })
    const answer = await asker.answers.ask(chat_id, { question, scope_filters: { year: 2026 } })
    expect(answer.answer).toMatch(/eleven minutes.*\[\^\d+\]/s)
    const found = await asker.answers.search(chat_id, {
      query: question,
      limit: 1,
      scope_filters: { year: 2026 },
    })
    expect(found).toEqual({
      chat_id,
      results: answer.context.slice(0, 1),
      scope_filters_applied: { year: 2026 },
    })
    expect((await asker.chats.info(chat_id)).context_files).toBe(1)
    expect((await admin.graph.read(chat_id)).nodes.length).toBeGreaterThan(1)
    const { file_id } = uploaded
    expect((await asker.documents.list(chat_id)).files).toMatchObject([{ file_id, filename: 'garden.md' }])
    expect(await asker.documents.status(chat_id, file_id)).toMatchObject({ file_id, status: 'ready' })
    expect(await asker.documents.delete(chat_id, file_id)).toMatchObject({ success: true, file_id })
    await expect(asker.documents.status(chat_id, file_id)).rejects.toMatchObject({ status: 404 })
    const { traces } = await reader.traces.page(project_id)
    expect(traces.map(({ input }) => input)).toEqual([question])
    expect(await admin.console.keys.listOfChat(chat_id)).toHaveLength(1)
    await admin.console.keys.revoke(chatKey.key_id)
    await expect(asker.chats.info(chat_id)).rejects.toMatchObject({ status: 401 })
    await admin.console.chats.delete(chat_id)
    expect(await admin.console.chats.list(project_id)).toEqual([])
    await admin.console.projects.delete(project_id)
    await expect(admin.console.projects.get(project_id)).rejects.toMatchObject({ status: 404 })
  })

  it('edits projects and chats', async () => {
    const renamed = await admin.console.projects.update(tenant.projectId, { name: 'renamed' })
    expect(await admin.console.projects.list()).toContainEqual(renamed)
    const settings = { temperature: 0 }
    const changed = await admin.console.chats.update(tenant.chatId, { title: 'new title', settings })
    expect(changed).toMatchObject({ title: 'new title', settings })
    expect((await admin.console.chats.unpublish(tenant.chatId)).published).toBe(false)
    await admin.console.chats.publish(tenant.chatId)
    expect(await admin.console.chats.get(tenant.chatId)).toMatchObject({ published_settings: settings })
    const published = await chat.chats.updateSettings(tenant.chatId, { temperature: 0.5 })
    expect(published).toMatchObject({ updated: ['temperature'], settings: { temperature: 0.5 } })
    expect((await chat.chats.settings(tenant.chatId)).settings).toEqual(published.settings)
    const history = await admin.console.chats.history(tenant.chatId)
    expect(history.map(({ settings: { temperature } }) => temperature)).toEqual([0.5, 0, 0.7])
    expect(await admin.console.keys.listOfProject(tenant.projectId)).toHaveLength(1)
  })

  it('configures, lists and clears scopes', async () => {
    const team = { name: 'team', type: 'string' as const, required: false }
    const scopes = [team, { name: 'year', type: 'number' as const, required: true }]
    expect(await chat.scopes.configure(tenant.chatId, { scopes })).toMatchObject({ success: true, scopes })
    expect(await chat.scopes.list(tenant.chatId)).toEqual({ chat_id: tenant.chatId, scopes })
    expect(await chat.scopes.clear(tenant.chatId)).toMatchObject({ chat_id: tenant.chatId })
    expect((await chat.scopes.list(tenant.chatId)).scopes).toEqual([])
  })

  it('sets, lists and deletes prices', async () => {
    const { prices } = admin.console
    const built = await prices.listBuiltIn({ provider: 'anthropic', q: 'haiku' })
    expect(built.map(({ model }) => model)).toContain('claude-haiku-4-5')
    const price = await prices.set(tenant.projectId, { model: 'gpt-4o', input: 1, output: 2 })
    expect(await prices.list(tenant.projectId)).toEqual([price])
    await prices.delete(tenant.projectId, price.price_id)
    expect(await prices.list(tenant.projectId)).toEqual([])
  })

  it('configures and tests models, sets credits and budgets, and reads usage', async () => {
    const { models, providers, modelDefaults, embedding, chats, multipliers, budgets, usage } = admin.console
    const { projectId: project_id, chatId } = tenant
    const set = await providers.set('compatible', { base_url: 'http://127.0.0.1:9/v1' })
    expect(set).toMatchObject({ configured: true, source: 'console' })
    expect(await providers.get('compatible')).toEqual(set)
    expect(await providers.list()).toHaveLength(11)
    await providers.delete('compatible')
    expect((await models.list()).default_model).toBe('cairn-extractive')
    const chosen = { default_model: null, embedding_model: null }
    expect(await modelDefaults.set(chosen)).toEqual(chosen)
    expect(await modelDefaults.get()).toEqual(chosen)
    expect(await embedding()).toMatchObject({ model: null, embedded: 0 })
    expect(await chats.embedding(chatId)).toMatchObject({ state: 'off', model: null })
    expect((await models.try({ model: 'cairn-extractive', prompt: 'Hello?' })).usage.credits).toBe(0)
    expect(await multipliers.set({ model: 'org/a model', multiplier: 3 })).toMatchObject({
      model: 'org/a model',
    })
    expect((await multipliers.list()).map(({ model }) => model)).toContain('org/a model')
    await multipliers.delete('org/a model')
    const budget = await budgets.create({ project_id, scope: 'project', period: 'month', limit: 5 })
    expect(await budgets.get(budget.budget_id)).toEqual(budget)
    expect(await budgets.update(budget.budget_id, { limit: 6 })).toMatchObject({ limit: 6, unit: 'credits' })
    expect(await budgets.list({ project_id })).toHaveLength(1)
    await budgets.delete(budget.budget_id)
    await chat.answers.ask(chatId, { question: 'Anything?' })
    const query = { group_by: ['chat', 'model'], chat_id: chatId }
    const used = await project.usage(project_id, query)
    expect(used.rows).toMatchObject([{ chat_id: chatId, model: 'cairn-extractive', credits: 0 }])
    expect(await usage({ ...query, project_id })).toEqual(used)
  })

  it('creates, edits and deletes documents and their graph', async () => {
    const pdf = samplePdf([[{ text: 'The pump in the greenhouse runs for eleven minutes.', x: 50, y: 700 }]])
    const read = await admin.internal.extractPdf(new Blob([pdf as Uint8Array<ArrayBuffer>]), 'pump.pdf')
    const { chat_id } = await admin.console.chats.create(tenant.projectId, { title: 'draft' })
    const text = `${read.text}\n\n${'Words of no weight. '.repeat(100)}`
    const document = { chat_id, pdf_id: `${chat_id}-pump`, pdf_text: text, filename: read.filename }
    const { file_id } = await admin.internal.createDocument(document)
    expect(await admin.internal.createDocument(document)).toMatchObject({ file_id, duplicate_skipped: true })
    const asked = await admin.internal.ask({ chat_id, question })
    expect(asked.answer).toContain('eleven minutes')
    const events = []
    for await (const event of admin.internal.stream({ chat_id, question })) events.push(event.type)
    expect(events).toEqual(['context', 'content', 'end'])
    const { nodes, relationships } = await admin.graph.read(chat_id)
    const [source_id = '', target_id = ''] = nodes.slice(1).map(({ id }) => id)
    const made = await admin.graph.createRelationship({ source_id, target_id, relationship_type: 'EXPLAINS' })
    expect(await admin.graph.updateRelationship(made.id, { confidence: 1 })).toEqual({
      ...made,
      properties: { confidence: 1 },
    })
    expect(await admin.graph.deleteRelationship(made.id)).toMatchObject({ relationships_deleted: 1 })
    const renamed = await admin.graph.updateNode(file_id, { filename: 'engine.pdf', colour: 'blue' })
    expect(renamed.properties).toMatchObject({ filename: 'engine.pdf', colour: 'blue' })
    expect(await admin.graph.node(file_id)).toEqual(renamed)
    expect(await admin.graph.deleteNode(target_id)).toMatchObject({ nodes_deleted: 1 })
    expect((await admin.graph.read(chat_id)).relationships.length).toBeLessThan(relationships.length)
    expect(await admin.internal.inspectChat(chat_id)).toMatchObject({ documents_found: 1 })
    expect(await admin.internal.removeDocument(file_id)).toMatchObject({ status: 'success' })
    expect(await admin.internal.emptyChat(chat_id)).toMatchObject({ nodes_deleted: 0 })
    expect(await admin.internal.deleteChats(chat_id, { child_chat_ids: 'none' })).toMatchObject({
      debug_info: { total_chat_ids_processed: 1 },
    })
  })

  it('streams an answer in pieces that together are the whole answer', async () => {
    await chat.documents.upload(tenant.chatId, { file: new Blob([notes]), filename: 'garden.txt' })
    const whole = await chat.answers.ask(tenant.chatId, { question })
    const events = await Array.fromAsync(chat.answers.stream(tenant.chatId, { question }))
    expect(events[0]).toEqual({ type: 'context', data: whole.context })
    expect(events.at(-1)).toEqual({
      type: 'end',
      data: { usage: whole.usage, model: whole.model, answer_id: expect.stringMatching(/^trc_/) },
    })
    const text = events.map((event) => (event.type === 'content' ? event.data : '')).join('')
    expect(text).toBe(whole.answer)
    const rating = { answer_id: whole.answer_id, rating: 'down', comment: 'Too short' } as const
    expect(await chat.answers.feedback(tenant.chatId, rating)).toEqual({ success: true })
    for await (const event of chat.answers.stream(tenant.chatId, { question })) {
      expect(event.type).toBe('context')
      break
    }
  })

  it('records traces and scores, pages through them and reads them back', async () => {
    const { trace_id } = await project.traces.create(tenant.projectId, {
      input: 'What is 6 × 7?',
      output: '42',
      model: 'arith-1',
      latency_ms: 12.5,
      cost: 0.002,
    })
    expect(await project.scores.create(tenant.projectId, trace_id, { name: 'right', value: 1 })).toEqual({
      success: true,
    })
    const trace = await project.traces.get(tenant.projectId, trace_id)
    expect(trace).toMatchObject({ model: 'arith-1', scores: [{ name: 'right', value: 1 }] })

    const traces = Array.from({ length: 5 }, (_, index) => ({
      input: `item ${index}`,
      output: '',
      status: 'error' as const,
    }))
    expect(await project.traces.createBatch(tenant.projectId, traces)).toMatchObject({
      created: 5,
      failed: 0,
    })
    const failed = await Array.fromAsync(project.traces.list(tenant.projectId, { status: 'error', limit: 2 }))
    expect(failed).toHaveLength(5)
    expect(new Set(failed.map(({ input }) => input))).toEqual(new Set(traces.map(({ input }) => input)))

    expect(await project.analytics.metrics(tenant.projectId, { status: 'error' })).toMatchObject({
      total_queries: 5,
    })
    const { groups } = await project.analytics.breakdown(tenant.projectId, { group_by: 'status' })
    expect(groups.find(({ group }) => group === 'error')).toMatchObject({
      traces: 5,
      errors: 5,
      error_rate: 1,
    })
    const file = await project.analytics.export(tenant.projectId, { format: 'jsonl', status: 'error' })
    expect(file.headers.get('content-type')).toContain('application/x-ndjson')
    expect((await file.text()).trim().split('\n')).toHaveLength(5)
  })

  it('scores stored and new traces', async () => {
    const { projectId, projectKey } = await createTenant(server.url)
    const own = createClient({ baseUrl: server.url, apiKey: projectKey })
    await own.traces.create(projectId, { input: 'i', output: '{}', custom_attributes: { plan: 'pro' } })
    const rule = await own.judging.rules.create(projectId, { name: 'live', scorer: 'json-valid' })
    expect(await own.judging.rules.list(projectId)).toEqual([rule])
    const started = await own.judging.batches.start(projectId, 'toxicity', { filter: { 'attr.plan': 'pro' } })
    expect((await own.judging.batches.page(projectId)).scorings).toHaveLength(1)
    const done = async () =>
      (await own.judging.batches.get(projectId, started.scoring_id)).state === 'completed'
    while (!(await done()));
    const { scores: page, nextCursor } = await own.scores.page(projectId, { source: 'batch' })
    expect(page).toMatchObject([{ name: 'toxicity', source_id: started.scoring_id }])
    expect(nextCursor).toBeUndefined()
    expect((await own.judging.batches.failures(projectId, started.scoring_id)).failures).toEqual([])
    expect(await own.judging.batches.cancel(projectId, started.scoring_id)).toMatchObject({ done: 1 })
    expect(await own.judging.rules.update(projectId, rule.rule_id, { enabled: false })).toMatchObject({
      enabled: false,
    })
    expect(await own.judging.rules.get(projectId, rule.rule_id)).toMatchObject({ enabled: false })
    await own.judging.rules.delete(projectId, rule.rule_id)
    expect(await own.judging.rules.list(projectId)).toEqual([])
  })

  it('publishes versions, compares them and rolls back', async () => {
    const { versions } = project
    const id = tenant.projectId
    const config = { model: 'gpt-4o', prompt: 'Be brief.', temperature: 0 }
    const one = await versions.publish(id, { version: '1.0.0', description: 'first', config })
    const two = await versions.publish(id, { version: '2.0.0' })
    await project.traces.create(id, { input: '', output: '', version: '2.0.0', latency_ms: 5 })
    expect(await versions.get(id, one.version_id)).toMatchObject({ config, is_active: false })
    const compared = await versions.compare(id, { a: one.version_id, b: two.version_id })
    expect(compared).toMatchObject({ version_b: { total_traces: 1 }, diff: { latency_change_pct: 100 } })
    const back = await versions.rollback(id, one.version_id)
    expect(back).toMatchObject({ version: '1.0.0', is_active: true })
    expect((await versions.list(id)).map(({ is_active }) => is_active)).toEqual([false, true])
    const first = await versions.historyPage(id, { limit: 2 })
    expect(first.activations.map(({ action }) => action)).toEqual(['rollback', 'publish'])
    const rest = await versions.historyPage(id, { cursor: first.nextCursor ?? '' })
    expect(rest).toMatchObject({ activations: [{ version: '1.0.0' }], nextCursor: undefined })
    await expect(versions.publish(id, { version: '1.0.0' })).rejects.toMatchObject({ status: 409 })
  })

  it('reads the audit log', async () => {
    await admin.console.projects.update(tenant.projectId, { name: 'audited' })
    const page = await admin.console.audit({ project_id: tenant.projectId, limit: 1 })
    expect(page.entries).toMatchObject([{ body: { name: 'audited' }, status: 200 }])
    const next = await admin.console.audit({ project_id: tenant.projectId, cursor: page.nextCursor ?? '' })
    expect(next.entries.length).toBeGreaterThan(1)
    expect(next.nextCursor).toBeUndefined()
  })

  it('registers webhooks, follows their deliveries and reads the event log', async () => {
    const { webhooks } = admin.console
    const created = await webhooks.create(tenant.projectId, { url: 'https://hooks.invalid/' })
    expect(created.secret).toMatch(/^whsec_/)
    const { webhook_id } = created
    expect(await webhooks.list(tenant.projectId)).toEqual([await webhooks.get(webhook_id)])
    expect((await webhooks.rotateSecret(webhook_id)).secret).not.toBe(created.secret)
    const tests = [await webhooks.test(webhook_id), await webhooks.test(webhook_id)]
    const first = await webhooks.deliveries(webhook_id, { limit: 1 })
    expect(first.deliveries[0]?.delivery_id).toBe(tests[1]?.delivery_id)
    const second = await webhooks.deliveries(webhook_id, { limit: 1, cursor: first.nextCursor ?? '' })
    expect([second.deliveries[0]?.delivery_id, second.nextCursor]).toEqual([tests[0]?.delivery_id, undefined])
    const again = await webhooks.retryDelivery(webhook_id, tests[0]?.delivery_id ?? '')
    expect(again.delivery_id).toBe(tests[0]?.delivery_id)
    expect(await webhooks.update(webhook_id, { enabled: false })).toMatchObject({ enabled: false })
    const type = ['webhook_test', 'run_failed']
    const events = await Array.fromAsync(project.events.list(tenant.projectId, { type, limit: 1 }))
    expect(events.map(({ event_id }) => event_id)).toEqual(tests.map(({ event_id }) => event_id).reverse())
    expect((await admin.console.events.page(tenant.projectId, { type })).events).toEqual(events)
    await webhooks.delete(webhook_id)
    await expect(webhooks.get(webhook_id)).rejects.toMatchObject({ status: 404 })
  })

  it('throws the message of both error bodies', async () => {
    const wrongs = [
      [() => project.traces.create(tenant.projectId, { input: 'x' } as never), 400, 'output is required'],
      [() => chat.answers.ask(tenant.chatId, {} as never), 400, 'question is required'],
      [() => chat.answers.stream(tenant.chatId, {} as never).next(), 400, 'question is required'],
      [
        () => project.chats.info(tenant.chatId),
        403,
        'this API key does not belong to the chat; use a key of the chat itself',
      ],
      [() => chat.chats.info('chatunknown'), 404, 'chat not found'],
    ] as const
    for (const [call, status, message] of wrongs) {
      const error: unknown = await call().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(CairnApiError)
      expect(error).toMatchObject({ status, message })
    }
  })

  it('creates suites and cases, runs them, and compares runs', async () => {
    const { projectId } = tenant
    const { suites, cases, runs } = project.testing
    const { suite_id } = await suites.create(projectId, { name: 'a suite', target: { type: 'builtin' } })
    const { trace_id } = await project.traces.create(projectId, { input: 'Why?', output: 'Because.' })
    const assertions = [{ type: 'contains' as const, value: 'Nothing' }]
    const { case_id } = await cases.create(projectId, suite_id, {
      query: 'Who?',
      expected_answer: 'x',
      assertions,
    })
    const second = await cases.create(projectId, suite_id, { trace_id })
    const { cases: first, nextCursor } = await cases.page(projectId, suite_id, { limit: 1 })
    expect(first).toMatchObject([{ case_id, query: 'Who?' }])
    const rest = await cases.page(projectId, suite_id, nextCursor === undefined ? {} : { cursor: nextCursor })
    expect(rest).toMatchObject({ cases: [{ case_id: second.case_id }], nextCursor: undefined })
    const { run_id: a } = await suites.run(projectId, suite_id)
    expect(await runs.wait(projectId, a, { everyMs: 20 })).toMatchObject({ status: 'completed', passed: 1 })
    await cases.update(projectId, suite_id, second.case_id, { assertions })
    expect(await cases.get(projectId, suite_id, second.case_id)).toMatchObject({ assertions })
    const { run_id: b } = await suites.run(projectId, suite_id, { name: 'b', concurrency: 1 })
    await runs.wait(projectId, b, { everyMs: 20 })
    expect((await runs.compare(projectId, a, b)).counts).toMatchObject({ improved: 1, same: 1 })
    expect((await runs.results(projectId, b, { limit: 1 })).results).toHaveLength(1)
    const failed = await runs.resultPage(projectId, a, { outcome: 'failed' })
    expect(failed).toMatchObject({ results: [{ case_id: second.case_id }], nextCursor: undefined })
    expect(await runs.junit(projectId, b)).toContain('tests="2"')
    expect((await runs.page(projectId, { suite_id })).runs).toMatchObject([{ name: 'b' }, { run_id: a }])
    expect(await runs.update(projectId, b, { notes: 'n' })).toMatchObject({ name: 'b', notes: 'n' })
    expect(await runs.cancel(projectId, b)).toMatchObject({ status: 'completed' })
    await runs.delete(projectId, b)
    await cases.delete(projectId, suite_id, case_id)
    expect(await suites.update(projectId, suite_id, { name: 'new' })).toMatchObject({ case_count: 1 })
    expect(await suites.get(projectId, suite_id)).toMatchObject({ name: 'new', target: { type: 'builtin' } })
    expect(await suites.list(projectId)).toHaveLength(1)
    const other = await suites.create(projectId, { name: 'other' })
    const newest = await suites.page(projectId, { limit: 1 })
    expect(newest.suites).toMatchObject([{ suite_id: other.suite_id }])
    expect(await suites.page(projectId, { limit: 1, cursor: newest.nextCursor ?? '' })).toMatchObject({
      suites: [{ suite_id }],
      nextCursor: undefined,
    })
    expect(await suites.delete(projectId, other.suite_id)).toMatchObject({ success: true })
    expect(await suites.delete(projectId, suite_id)).toMatchObject({ success: true })
  })

  it('waits out the rate limit', async () => {
    const slow = await startServer({ env: { CAIRN_REQUESTS_PER_SECOND: '2' } })
    try {
      const limited = await createTenant(slow.url)
      const patient = createClient({ baseUrl: slow.url, apiKey: limited.chatKey, retry: { retries: 5 } })
      const calls = Array.from({ length: 4 }, () => patient.chats.info(limited.chatId))
      expect(await Promise.all(calls)).toHaveLength(4)
      const hasty = createClient({ baseUrl: slow.url, apiKey: limited.chatKey, retry: false })
      const answers = await Promise.allSettled(
        Array.from({ length: 4 }, () => hasty.chats.info(limited.chatId)),
      )
      const refused = answers.find((answer) => answer.status === 'rejected')
      expect(refused?.reason).toMatchObject({ status: 429, retryAfter: 1 })
    } finally {
      await slow.stop()
    }
  })
})
