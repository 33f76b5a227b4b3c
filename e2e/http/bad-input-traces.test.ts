import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'

/** Texts that databases, encoders and templates often handle wrongly. */
const hardTexts = [
  '',
  ' ',
  'a\0b\0',
  '\ud800',
  'x\udc00\ud800y',
  '\u2028\u2029\ufeff\ufffe\uffff',
  '😀é👨‍👩‍👧',
  "'; drop table traces; --",
  '"\\"{}[],:\r\n\t\b\f',
  '<script>alert(1)</script> {{x}} %s %00 $1',
  '__proto__',
  'null',
]

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

describe.each(sharedServers)('invalid and unusual input to traces, on $database', ({ server }) => {
  let tenant: Tenant
  let base: string

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    base = `/v1/${tenant.projectId}`
    await tenant.project.ok('POST', `${base}/traces`, { input: 'a', output: 'b', latency_ms: 5, cost: 1 })
  })

  const count = async () => (await tenant.project.ok('GET', `${base}/analytics/metrics`)).body.total_queries
  const post = (body: unknown) => tenant.project.post(`${base}/traces`, body)

  async function stored(trace: object) {
    const { body } = await tenant.project.ok('POST', `${base}/traces`, trace)
    return (await tenant.project.ok('GET', `${base}/analytics/traces/${body.trace_id}`)).body
  }

  const lists = ['analytics/traces', 'analytics/metrics', 'analytics/export']

  it.each(lists)('%s rejects an invalid date and an unknown status by name', async (path) => {
    const dates = [
      '',
      'yesterday',
      '2024-02-30',
      '2023-02-29',
      '2024-13-01',
      '2024-00-10',
      '2024-01-01T24:01:00Z',
    ]
    const more = ['2024-01-01T13:61', '2024-01-01T13:60:00Z', '2024', '1704067200000', '2024-1-1', '20240101']
    for (const name of ['start_date', 'end_date']) {
      for (const date of [
        ...dates,
        ...more,
        '2024-01-01T00:00:00+25:00',
        '%00',
        '2024-01-01%00',
        '-1',
        "'",
      ]) {
        const answer = await tenant.project.get(`${base}/${path}?${name}=${date.replace('+', '%2B')}`)
        expectRefusal(answer, { status: 400, project: true, names: name }, `${path}?${name}=${date}`)
      }
      const twice = await tenant.project.get(`${base}/${path}?${name}=2024-01-01&${name}=2024-01-02`)
      expectRefusal(twice, { status: 400, project: true, names: name })
    }
    for (const status of ['', 'SUCCESS', 'failed', 'success,error', 'success&status=error', '%00']) {
      const answer = await tenant.project.get(`${base}/${path}?status=${status}`)
      expectRefusal(answer, { status: 400, project: true, names: 'status' }, status)
    }
  })

  it.each(lists)(
    '%s rejects a start after the end, and accepts equal bounds as an empty period',
    async (path) => {
      const after = await tenant.project.get(`${base}/${path}?start_date=2024-02-02&end_date=2024-02-01`)
      expectRefusal(after, { status: 400, project: true, names: 'start_date' })
      const equal = await tenant.project.get(`${base}/${path}?start_date=2024-02-02&end_date=2024-02-02`)
      expect(equal.status).toBe(200)
      for (const far of [
        'start_date=9999-12-31T23:59:59.999Z',
        'end_date=0000-01-01',
        'end_date=0001-01-01',
      ]) {
        const answer = await tenant.project.get(`${base}/${path}?${far}`)
        expect(answer.status, `${far} ${answer.text}`).toBe(200)
      }
    },
  )

  it.each([
    '',
    '0',
    '-1',
    '1001',
    '1.5',
    'abc',
    '1e2',
    '0x10',
    '１',
    ' 1',
    '%00',
    'null',
    '99999999999999999999',
  ])('the list rejects the limit %j', async (limit) => {
    const answer = await tenant.project.get(
      `${base}/analytics/traces?limit=${encodeURI(limit).replace('%2500', '%00')}`,
    )
    expectRefusal(answer, { status: 400, project: true, names: 'limit' })
  })

  it('the list rejects a repeated parameter, and accepts limits of 1 and 1000', async () => {
    for (const query of ['limit=1&limit=2', 'limit[]=1', 'cursor=a&cursor=b']) {
      const answer = await tenant.project.get(`${base}/analytics/traces?${query}`)
      if (query.includes('[')) expect(answer.status).toBe(200)
      else expectRefusal(answer, { status: 400, project: true, names: query.split('=')[0] ?? '' })
    }
    for (const limit of [1, 1000]) {
      expect((await tenant.project.get(`${base}/analytics/traces?limit=${limit}`)).status).toBe(200)
    }
  })

  it('the list rejects an invented cursor', async () => {
    const encode = (text: string) => Buffer.from(text).toString('base64url')
    const id = 'trc_00000000000000000000'
    const texts = [
      '',
      'x',
      `1.${id}x`,
      `x.${id}`,
      `.${id}`,
      `1e3.${id}`,
      `1. or 1=1`,
      `99999999999999999.${id}`,
    ]
    for (const cursor of ['', 'garbage', '%00', '💥', id, ...texts.map(encode), 'a'.repeat(9000)]) {
      const answer = await tenant.project.get(`${base}/analytics/traces?cursor=${encodeURIComponent(cursor)}`)
      expectRefusal(answer, { status: 400, project: true, names: 'cursor' }, cursor.slice(0, 40))
    }
    for (const text of [`0.${id}`, `-5.${id}`, `9999999999999999.${id}`]) {
      expect((await tenant.project.get(`${base}/analytics/traces?cursor=${encode(text)}`)).status).toBe(200)
    }
  })

  it.each(['xml', '', 'CSV', 'json,csv', 'csv&format=json', '%00'])(
    'the export rejects the format %j',
    async (format) => {
      const answer = await tenant.project.get(`${base}/analytics/export?format=${format}`)
      expectRefusal(answer, { status: 400, project: true, names: 'format' })
    },
  )

  it('too many tags are rejected in one clear sentence', async () => {
    const query = Array.from({ length: 21 }, () => 'tag=a').join('&')
    const answer = await tenant.project.get(`${base}/analytics/traces?${query}`)
    expectRefusal(answer, { status: 400, project: true, names: 'tag must not have more than 20 items' })
  })

  it('unknown query parameters are ignored', async () => {
    const answer = await tenant.project.get(`${base}/analytics/metrics?nope=1&__proto__=x&constructor=y`)
    expect(answer.status).toBe(200)
  })

  it('numbers beyond the range of floating-point numbers are rejected, in fields and in sums', async () => {
    const before = await count()
    for (const field of ['latency_ms', 'cost']) {
      for (const number of ['1e400', '-1', '-1e-9', '1e308', '"5"', 'true', '[5]']) {
        const answer = await post(`{"input":"a","output":"b","${field}":${number}}`)
        expectRefusal(answer, { status: 400, project: true, names: field }, number)
      }
    }
    for (const cost of ['{"llm":1e308}', '{"llm":1e308,"embedding":1e308}', '{"llm":1e400}']) {
      const answer = await post(`{"input":"a","output":"b","cost_breakdown":${cost}}`)
      expectRefusal(answer, { status: 400, project: true, names: 'cost' }, cost)
    }
    for (const usage of ['{"total_tokens":1e400}', '{"cache_read_tokens":1e400}']) {
      const answer = await post(`{"input":"a","output":"b","token_usage":${usage}}`)
      expectRefusal(answer, { status: 400, project: true, names: 'tokens' }, usage)
    }
    for (const start of ['1e400', '-1e400']) {
      const answer = await post(`{"input":"a","output":"b","spans":[{"name":"s","start":${start}}]}`)
      expectRefusal(answer, { status: 400, project: true, names: 'spans[0].start' }, start)
    }
    expect(await count()).toBe(before)
    const { body } = await tenant.project.ok('GET', `${base}/analytics/metrics`)
    for (const name of ['avg_response_time_ms', 'total_cost', 'avg_cost_per_query']) {
      expect(body[name], name).toEqual(expect.any(Number))
    }
  })

  it('zero, false and very large integers are stored', async () => {
    const numbers = {
      zero: 0,
      no: false,
      large: Number.MAX_SAFE_INTEGER,
      small: 5e-324,
      exact: 0.1,
      huge: 1e300,
    }
    const trace = await stored({
      input: 'n',
      output: 'n',
      latency_ms: 0,
      cost: 0,
      metadata: numbers,
      custom_attributes: numbers,
      token_usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    })
    expect(trace).toMatchObject({
      latency_ms: 0,
      cost: 0,
      cost_source: 'client',
      metadata: numbers,
      custom_attributes: numbers,
      token_usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    })
  })

  it.each(hardTexts)('the text %j is returned unchanged in every field', async (text) => {
    const object = JSON.parse(`{${JSON.stringify(`k${text}`)}:${JSON.stringify([text, { [text]: text }])}}`)
    const span = { name: text, attributes: object, span_id: text, error: text, extra: text }
    const sent = {
      ...{ input: text, output: text, model: text, version: text, session_id: text, user_id: text },
      ...{ environment: text, error: text, tags: [text, text], metadata: object, custom_attributes: object },
      tool_calls: [{ name: text, arguments: object, [`k${text}`]: text }],
    }
    const trace = await stored({ ...sent, spans: [span] })
    expect(trace).toMatchObject(sent)
    expect(trace.spans).toEqual([{ ...span, start_ms: null, end_ms: null }])
    const { text: lines } = await tenant.project.ok('GET', `${base}/analytics/export?format=jsonl`)
    expect(JSON.parse(lines.split('\n')[0] ?? '')).toEqual(trace)
    expect((await tenant.project.get(`${base}/analytics/traces?limit=1`)).body[0].input).toBe(text)
  })

  it.each(hardTexts)('a score accepts the comment %j, and a readable name', async (text) => {
    const { body } = await tenant.project.ok('POST', `${base}/traces`, { input: 'a', output: 'b' })
    const path = `${base}/traces/${body.trace_id}/scores`
    await tenant.project.ok('POST', path, {
      name: `n ${text.replace(/\p{Cc}/gu, '')}.`,
      value: 1,
      comment: text,
    })
    const { scores } = (await tenant.project.ok('GET', `${base}/analytics/traces/${body.trace_id}`)).body
    expect(scores[0].comment).toBe(text.toWellFormed().replaceAll('\0', '\ufffd'))
    for (const format of ['json', 'jsonl', 'csv']) {
      expect((await tenant.project.get(`${base}/analytics/export?format=${format}`)).status).toBe(200)
    }
  })

  it('keys with a meaning in JavaScript are ordinary keys', async () => {
    const metadata = '{"__proto__":{"a":1},"constructor":{"prototype":1},"toString":"x","1":"one","0":"zero"}'
    const answer = await post(`{"input":"a","output":"b","metadata":${metadata}}`)
    expect(answer.status, answer.text).toBe(201)
    const { text } = await tenant.project.get(`${base}/analytics/traces/${answer.body.trace_id}`)
    const back = Object.entries(JSON.parse(text).metadata)
    expect(new Map(back)).toEqual(new Map(Object.entries(JSON.parse(metadata))))
  })

  it.each([100, 1000, 2500, 4000, 4400, 5000, 10_000, 100_000])(
    '%i nested levels are stored and readable, or rejected',
    async (levels) => {
      const before = await count()
      const metadata = deep(levels)
      const answer = await post(`{"input":"a","output":"b","metadata":${metadata}}`)
      if (levels <= 1000) expect(answer.status).toBe(201)
      if (levels > 5000 || answer.status !== 201) {
        expectRefusal(answer, { status: 400, project: true, names: 'deep' })
        expect(await count()).toBe(before)
        return
      }
      const { status, text } = await tenant.project.get(`${base}/analytics/traces/${answer.body.trace_id}`)
      expect(status).toBe(200)
      expect(text).toContain(`"metadata":${metadata}`)
      for (const format of ['json', 'jsonl', 'csv']) {
        expect((await tenant.project.get(`${base}/analytics/export?format=${format}`)).status).toBe(200)
      }
    },
  )

  it('deep nesting in other fields is rejected or ignored', async () => {
    const levels = deep(100_000)
    for (const field of ['custom_attributes', 'token_usage', 'cost_breakdown']) {
      const answer = await post(`{"input":"a","output":"b","${field}":{"a":${levels}}}`)
      expect([201, 400], field).toContain(answer.status)
    }
    for (const item of [
      `"tool_calls":[${levels}]`,
      `"spans":[{"name":"s","x":${levels}}]`,
      `"unknown":${levels}`,
    ]) {
      expect([201, 400], item.slice(0, 20)).toContain(
        (await post(`{"input":"a","output":"b",${item}}`)).status,
      )
    }
    const batch = await tenant.project.post(
      `${base}/traces/batch`,
      `{"traces":[{"input":"a","output":"b","metadata":${levels}},{"input":"good","output":"b"}]}`,
    )
    expect(batch.body).toMatchObject({ created: 1, failed: 1 })
    expect(batch.body.results[0].error).toContain('deep')
  })
})
