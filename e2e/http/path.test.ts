import { beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, parseEvents, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'

const handbook = `# Handbook

## Opening hours

The reading room opens at nine in the morning and closes at half past six.

## Lending

Members may borrow up to twelve books for four weeks. Overdue books cost 25 cents a day.
`

describe.each(sharedServers)('the path from a document to a trace, on $database', ({ server }) => {
  let tenant: Tenant

  beforeAll(async () => {
    tenant = await createTenant(server.url)
  })

  it('uploads a Markdown file and says that it is searchable', async () => {
    const form = uploadForm('handbook.md', handbook, { team: 'library', year: 2024 })
    const { status, body } = await tenant.chat.post(`/v1/${tenant.chatId}/upload_with_scopes`, form)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      filename: 'handbook.md',
      chat_id: tenant.chatId,
      scope_values: { team: 'library', year: 2024 },
      size_bytes: Buffer.byteLength(handbook),
      processing_status: 'completed',
    })
    expect(body.file_id).toMatch(new RegExp(`^${tenant.chatId}_handbook\\.md_\\d{10}$`))
    expect(body.message).toEqual(expect.any(String))
  })

  it('answers a question with citations into its context', async () => {
    const question = 'How many books may a member borrow?'
    const { status, body } = await tenant.chat.post(`/v1/${tenant.chatId}/answer_question`, { question })
    expect(status).toBe(200)
    expect(body).toMatchObject({ chat_id: tenant.chatId, model: 'cairn-extractive' })
    expect(body.answer).toContain('twelve books')
    const cited = [...body.answer.matchAll(/\[\^(\d+)\]/g)].map(([, index]) => Number(index))
    expect(cited.length).toBeGreaterThan(0)
    for (const index of cited) expect(body.context[index]).toBeDefined()
    expect(body.context[cited[0] ?? -1].chunk_text).toContain('twelve books')
    expect(body.citations[0]).toMatchObject({
      source: 'handbook.md',
      chunk_id: body.context[cited[0] ?? -1].chunk_id,
    })
    const scores = body.context.map((entry: { score: number }) => entry.score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true)
    const { prompt_tokens, completion_tokens, total_tokens } = body.usage
    expect(total_tokens).toBe(prompt_tokens + completion_tokens)
    expect(prompt_tokens).toBeGreaterThan(0)
    expect(body).not.toHaveProperty('scope_filters_applied')
  })

  it('streams the same answer as context, content and end events', async () => {
    const question = 'When does the reading room close?'
    const whole = await tenant.chat.post(`/v1/${tenant.chatId}/answer_question`, { question })
    const answer = await tenant.chat.call('POST', `/v1/${tenant.chatId}/answer_question_stream`, {
      body: { question },
      headers: { accept: 'text/event-stream' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch('text/event-stream')
    const events = parseEvents(answer.text)
    expect(events[0]).toEqual({ type: 'context', data: whole.body.context })
    expect(events.at(-1)).toEqual({
      type: 'end',
      data: { usage: whole.body.usage, model: whole.body.model, answer_id: expect.stringMatching(/^trc_/) },
    })
    const contents = events.slice(1, -1)
    expect(contents.every(({ type }) => type === 'content')).toBe(true)
    expect(contents.map(({ data }) => data).join('')).toBe(whole.body.answer)
    expect(whole.body.answer).toContain('half past six')
  })

  it('says so when nothing fits, with an empty context', async () => {
    const question = 'Welche Farbe hat der Mond über Zanzibar?'
    const { body } = await tenant.chat.post(`/v1/${tenant.chatId}/answer_question`, { question })
    expect(body.context).toEqual([])
    expect(body.citations).toEqual([])
    expect(body.answer).not.toMatch(/\[\^\d/)
    expect(body.answer.length).toBeGreaterThan(10)
  })

  it('applies scope filters exactly, before ranking', async () => {
    const ask = async (scope_filters: object) => {
      const body = { question: 'How many books may a member borrow?', scope_filters }
      return (await tenant.chat.post(`/v1/${tenant.chatId}/answer_question`, body)).body
    }
    const matching = await ask({ team: 'library', year: 2024 })
    expect(matching.scope_filters_applied).toEqual({ team: 'library', year: 2024 })
    expect(matching.context.length).toBeGreaterThan(0)
    for (const filter of [{ team: 'Library' }, { year: '2024' }, { year: 2024, team: 'x' }, { floor: 1 }]) {
      expect((await ask(filter)).context, JSON.stringify(filter)).toEqual([])
    }
  })

  it('logs each answer as a trace of the project, with its spans', async () => {
    const question = `What does an overdue book cost? ${Date.now()}`
    const { body: answer } = await tenant.chat.post(`/v1/${tenant.chatId}/answer_question`, {
      question,
      session_id: 'evening',
    })
    const list = await tenant.project.get(`/v1/${tenant.projectId}/analytics/traces?limit=1`)
    const [summary] = list.body
    expect(summary).toMatchObject({
      input: question,
      output: answer.answer,
      model: 'cairn-extractive',
      status: 'success',
    })
    const { body: trace } = await tenant.project.get(
      `/v1/${tenant.projectId}/analytics/traces/${summary.trace_id}`,
    )
    expect(trace.spans.map(({ name, kind }: Record<string, string>) => [name, kind])).toEqual([
      ['retrieve', 'retrieval'],
      ['generate', 'llm'],
    ])
    for (const { start_ms, end_ms } of trace.spans) expect(end_ms).toBeGreaterThanOrEqual(start_ms)
    expect(trace).toMatchObject({ session_id: 'evening', token_usage: answer.usage })
    expect(trace.custom_attributes).toEqual({ chat_id: tenant.chatId })
  })

  it('shows documents and chunks as a graph with HAS_CHUNK and NEXT', async () => {
    const { body } = await Api.admin(server.url).get(`/graph_data/${tenant.chatId}`)
    const [document] = body.nodes.filter((node: { labels: string[] }) => node.labels[0] === 'Document')
    const chunks = body.nodes.filter((node: { labels: string[] }) => node.labels[0] === 'Chunk')
    expect(document.properties).toMatchObject({ filename: 'handbook.md', chatId: tenant.chatId })
    expect(Number.isInteger(document.properties.uploadDate)).toBe(true)
    for (const chunk of chunks) expect(handbook).toContain(chunk.properties.text)
    const ofType = (type: string) => body.relationships.filter((edge: { type: string }) => edge.type === type)
    const orders = ofType('HAS_CHUNK').map((edge: { properties: { order: number } }) => edge.properties.order)
    expect(orders.sort()).toEqual(chunks.map((_: unknown, index: number) => index))
    expect(ofType('NEXT')).toHaveLength(chunks.length - 1)
  })

  it('takes the same bytes with the same scopes once within the window, other scopes make another file', async () => {
    const upload = async (scopes: object) => {
      const form = uploadForm('twice.txt', 'The spare key hangs behind the clock.', scopes)
      return (await tenant.chat.post(`/v1/${tenant.chatId}/upload_with_scopes`, form)).body
    }
    const [first, second] = await Promise.all([upload({ room: 1 }), upload({ room: 1 })])
    const third = await upload({ room: 1 })
    const other = await upload({ room: 2 })
    expect(new Set([first.file_id, second.file_id, third.file_id]).size).toBe(1)
    expect([first, second, third].filter((answer) => answer.duplicate === true)).toHaveLength(2)
    expect(other).not.toHaveProperty('duplicate')
    expect(other.file_id).not.toBe(first.file_id)
  })
})
