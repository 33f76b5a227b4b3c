import { once } from 'node:events'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { parseCsv } from '../support/csv.ts'
import { sharedServers } from '../support/databases.ts'
import { openRequest } from '../support/wire.ts'

const columns =
  'trace_id created_at status model version session_id user_id environment latency_ms cost prompt_tokens ' +
  'completion_tokens total_tokens input output error tags metadata custom_attributes tool_calls spans scores name'

const texts = [
  'plain',
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  "'quoted",
  "''=x",
  '"',
  'a "b" c',
  'a,b',
  'line\nbreak',
  'line\rbreak',
  'line\r\nbreak',
  '\n',
  ' ',
  ', ,',
  'ü 😀 日本',
  '\ufeffbom',
  'a\0b',
  '; drop',
]

const traces = texts.map((text, i) => ({
  input: text,
  output: `o${text}`,
  model: text,
  error: i % 2 ? text : null,
  version: text,
  session_id: text,
  user_id: text,
  environment: text,
  status: i % 2 ? 'error' : 'success',
  latency_ms: i / 4,
  cost: i === 3 ? 0 : i,
  token_usage: { prompt_tokens: i, completion_tokens: 0, total_tokens: i },
  tags: [text, '=x'],
  metadata: { [text]: text },
  custom_attributes: { n: i },
  tool_calls: [{ name: text }],
  spans: [{ name: text, start: 1, end: 2 }],
  created_at: new Date(Date.UTC(2024, 0, 1 + i)).toISOString(),
}))

describe.each(sharedServers)('the export, on $database', ({ server }) => {
  let tenant: Tenant
  let path: string
  // biome-ignore lint/suspicious/noExplicitAny: traces are compared as a whole
  let details: any[]

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    const base = `/v1/${tenant.projectId}`
    path = `${base}/analytics/export`
    const { body } = await tenant.project.ok('POST', `${base}/traces/batch`, { traces })
    const ids = body.results.map(({ trace_id }: { trace_id: string }) => trace_id).toReversed()
    for (const [index, id] of ids.entries()) {
      if (index % 3 > 0) continue
      const score = { name: 'quality', value: index / 100, comment: '=x\n"' }
      await tenant.project.ok('POST', `${base}/traces/${id}/scores`, score)
      await tenant.project.ok('POST', `${base}/traces/${id}/scores`, { ...score, value: 1 })
    }
    const reads = ids.map((id: string) => tenant.project.ok('GET', `${base}/analytics/traces/${id}`))
    details = (await Promise.all(reads)).map((answer) => answer.body)
  })

  const read = (query = '') => tenant.project.ok('GET', path + query)
  const lines = (text: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))

  it('as JSON, the default, is one array of full traces, newest first', async () => {
    for (const query of ['', '?format=json']) {
      const { body, headers } = await read(query)
      expect(body).toEqual(details)
      expect(headers.get('content-type')).toMatch(/^application\/json(;|$)/)
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.json"$/)
    }
    expect(details.filter(({ scores }) => scores.length === 2).length).toBeGreaterThan(5)
  })

  it('as JSON Lines is one line per trace, in the same form', async () => {
    const { text, headers } = await read('?format=jsonl')
    expect(text.endsWith('\n')).toBe(true)
    expect(lines(text)).toEqual(details)
    expect(headers.get('content-type')).toMatch(/^application\/x-ndjson(;|$)/)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.jsonl"$/)
  })

  it('as CSV has the documented columns, according to RFC 4180', async () => {
    const { text, headers } = await read('?format=csv')
    expect(headers.get('content-type')).toMatch(/^text\/csv(;|$)/)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.csv"$/)
    const [head, ...rows] = parseCsv(text)
    expect(head?.join(' ')).toBe(columns)
    expect(rows).toHaveLength(traces.length)
    for (const row of rows) expect(row).toHaveLength(23)
  })

  it('as CSV contains every value, after the removal of one leading quote', async () => {
    const [head = [], ...rows] = parseCsv((await read('?format=csv')).text)
    const restore = (cell: string) => (cell.startsWith("'") ? cell.slice(1) : cell)
    for (const [index, row] of rows.entries()) {
      const cell = Object.fromEntries(head.map((name, column) => [name, row[column] ?? '']))
      const trace = details[index]
      for (const name of [
        'model',
        'version',
        'session_id',
        'user_id',
        'environment',
        'input',
        'output',
        'error',
      ]) {
        expect(restore(cell[name] ?? ''), name).toBe(trace[name] ?? '')
      }
      for (const name of ['trace_id', 'created_at', 'status']) expect(cell[name]).toBe(trace[name])
      for (const name of ['latency_ms', 'cost']) expect(cell[name]).toBe(String(trace[name]))
      for (const name of ['prompt_tokens', 'completion_tokens', 'total_tokens']) {
        expect(cell[name]).toBe(String(trace.token_usage[name]))
      }
      for (const name of ['tags', 'metadata', 'custom_attributes', 'tool_calls', 'spans', 'scores']) {
        expect(JSON.parse(cell[name] ?? ''), name).toEqual(trace[name])
      }
    }
  })

  it('as CSV contains no formula for a spreadsheet, and no unnecessary quote', async () => {
    const [, ...rows] = parseCsv((await read('?format=csv')).text)
    const inputs = rows.map((row) => row[13]).toReversed()
    expect(inputs).toEqual(texts.map((text) => (/^[=+\-@\t\r']/.test(text) ? `'${text}` : text)))
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
  })

  it('accepts the filters of the list', async () => {
    const query = 'status=error&start_date=2024-01-05&end_date=2024-01-12'
    const expected = details.filter(
      ({ status, created_at }) =>
        status === 'error' && created_at >= '2024-01-05' && created_at < '2024-01-12',
    )
    expect(expected.length).toBeGreaterThan(2)
    expect((await read(`?${query}`)).body).toEqual(expected)
    expect(lines((await read(`?${query}&format=jsonl`)).text)).toEqual(expected)
    const rows = parseCsv((await read(`?${query}&format=csv`)).text).slice(1)
    expect(rows.map(([id]) => id)).toEqual(expected.map(({ trace_id }) => trace_id))
  })

  it('without traces is an empty file of its format', async () => {
    const query = 'start_date=2999-01-01'
    expect((await read(`?${query}`)).body).toEqual([])
    expect((await read(`?${query}&format=jsonl`)).text).toBe('')
    expect((await read(`?${query}&format=csv`)).text).toBe(`${columns.replaceAll(' ', ',')}\r\n`)
  })

  it('may be aborted repeatedly without effects on the server', async () => {
    const { project, projectId } = await createTenant(server.url)
    const big = Array.from({ length: 40 }, (_, i) => ({ input: `${i}`, output: 'x'.repeat(200_000) }))
    await project.ok('POST', `/v1/${projectId}/traces/batch`, { traces: big })
    const target = `/v1/${projectId}/analytics/export`
    for (let i = 0; i < 50; i++) {
      const socket = openRequest(server.url, 'GET', target, { headers: project.credential })
      if (i % 2) await once(socket, 'data')
      socket.destroy()
    }
    await project.ok('POST', `/v1/${projectId}/traces`, { input: 'late', output: '' })
    expect((await project.ok('GET', target)).body).toHaveLength(41)
    expect((await project.ok('GET', `/v1/${projectId}/analytics/metrics`)).body.total_queries).toBe(41)
  })

  it('is one snapshot without later writes', async () => {
    const { project, projectId, projectKey } = await createTenant(server.url)
    const many = Array.from({ length: 1000 }, (_, i) => ({ input: `${i}`, output: 'x'.repeat(5000) }))
    await project.ok('POST', `/v1/${projectId}/traces/batch`, { traces: many })
    const response = await fetch(`${server.url}/v1/${projectId}/analytics/export?format=jsonl`, {
      headers: { authorization: `Bearer ${projectKey}` },
    })
    const late = many.map(({ input }) => ({ input, output: 'late', created_at: '2024-01-01' }))
    await project.ok('POST', `/v1/${projectId}/traces/batch`, { traces: late.slice(0, 300) })
    const rows = lines(await response.text())
    expect(rows).toHaveLength(1000)
    expect(rows.filter(({ output }) => output === 'late')).toEqual([])
  })
})
