import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'

interface Row {
  trace_id: string
  input: string
  status: string
  created_at: string
}

const start = Date.parse('2024-03-01T00:00:00Z')
const iso = (ms: number) => new Date(ms).toISOString()

/** Two hundred traces; every five share a millisecond, every third failed. */
const traces = Array.from({ length: 200 }, (_, i) => ({
  input: `${i}`,
  output: 'o',
  status: i % 3 === 0 ? 'error' : 'success',
  created_at: iso(start + Math.floor(i / 5)),
}))

describe.each(sharedServers)('the list of traces, on $database', ({ server }) => {
  let tenant: Tenant
  let path: string
  let all: Row[]

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    path = `/v1/${tenant.projectId}/analytics/traces`
    await tenant.project.ok('POST', `/v1/${tenant.projectId}/traces/batch`, { traces })
    all = (await tenant.project.ok('GET', `${path}?limit=1000`)).body
  })

  const inputs = (rows: Row[]) => rows.map(({ input }) => Number(input)).sort((a, b) => a - b)
  const list = async (query: string): Promise<Row[]> =>
    (await tenant.project.ok('GET', `${path}?${query}`)).body

  /** Reads all pages, by the cursor header or by the link. */
  async function pages(query: string, by: 'cursor' | 'link', between = async () => {}): Promise<Row[]> {
    const rows: Row[] = []
    let next: string | undefined = `${path}?${query}`
    for (let turn = 0; next !== undefined; turn++) {
      expect(turn).toBeLessThan(300)
      const answer: Answer = await tenant.project.ok('GET', next)
      rows.push(...answer.body)
      const cursor = answer.headers.get('x-next-cursor')
      const link = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
      expect(link === undefined).toBe(cursor === null)
      next =
        by === 'link' ? link : cursor ? `${path}?${query}&cursor=${encodeURIComponent(cursor)}` : undefined
      await between()
    }
    return rows
  }

  it('contains fewer large traces per page, and all of them in total', async () => {
    const { project, projectId } = await createTenant(server.url)
    const large = Array.from({ length: 5 }, (_, index) => ({
      input: `${index}`,
      output: 'ü'.repeat(1_500_000),
      session_id: 'long',
      // The server reads a summary up to this name; in other fields it is ordinary text.
      tags: ['","metadata":{"'],
      metadata: { metadata: {} },
      created_at: iso(start + index),
    }))
    for (const trace of large) await project.ok('POST', `/v1/${projectId}/traces`, trace)
    const read = async (list: string, rowsOf: (body: Answer['body']) => Row[]) => {
      const found: string[][] = []
      for (let cursor = ''; ; ) {
        const answer = await project.ok('GET', `/v1/${projectId}/analytics/${list}?limit=1000${cursor}`)
        const rows = rowsOf(answer.body)
        for (const row of rows) expect(row).toMatchObject({ output: large[0]?.output, tags: large[0]?.tags })
        found.push(rows.map(({ input }) => input))
        const next = answer.headers.get('x-next-cursor')
        if (!next) return found
        cursor = `&cursor=${next}`
      }
    }
    expect(await read('traces', (body) => body)).toEqual([['4', '3'], ['2', '1'], ['0']])
    expect(await read('sessions/long', (body) => body.traces)).toEqual([['0', '1'], ['2', '3'], ['4']])
    const previews = await project.ok('GET', `/v1/${projectId}/analytics/traces?view=preview`)
    expect(previews.body.map(({ input }: Row) => input)).toEqual(['4', '3', '2', '1', '0'])
  })

  it('of traces that are read in steps contains each trace once, in order and complete', async () => {
    const { project, projectId } = await createTenant(server.url)
    // A step contains about twenty of them.
    const many = Array.from({ length: 70 }, (_, index) => ({
      input: `${index}`,
      output: `${index} `.repeat(2000 + 400 * (index % 13)),
      session_id: 'steps',
      created_at: iso(start + Math.floor(index / 2)),
    }))
    const { body } = await project.ok('POST', `/v1/${projectId}/traces/batch`, { traces: many })
    const sent = many.map((trace, index) => ({ ...trace, trace_id: body.results[index].trace_id as string }))
    const newest = sent.toSorted(
      (a, b) => b.created_at.localeCompare(a.created_at) || (a.trace_id < b.trace_id ? 1 : -1),
    )
    const shown = ({ trace_id, input, output }: { trace_id: string; input: string; output: string }) => [
      trace_id,
      input,
      output,
    ]
    for (const limit of [30, 69, 70, 1000]) {
      const rows: Parameters<typeof shown>[0][] = []
      const previews: string[] = []
      for (const view of ['', '&view=preview']) {
        for (let next = `/v1/${projectId}/analytics/traces?limit=${limit}${view}`; next; ) {
          const page = await project.ok('GET', next)
          if (view === '') rows.push(...page.body)
          else previews.push(...page.body.map(({ trace_id }: { trace_id: string }) => trace_id))
          next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
        }
      }
      expect(rows.map(shown), `limit ${limit}`).toEqual(newest.map(shown))
      expect(previews, `limit ${limit}`).toEqual(newest.map(({ trace_id }) => trace_id))
    }
    const session = await project.ok('GET', `/v1/${projectId}/analytics/sessions/steps?limit=1000`)
    expect(session.body.traces.map(shown)).toEqual(newest.toReversed().map(shown))
  })

  it('is newest first, with 100 traces by default and up to 1,000', async () => {
    expect(inputs(all)).toEqual(traces.map((_, i) => i))
    const times = all.map(({ created_at }) => created_at)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(await list('')).toEqual(all.slice(0, 100))
    expect(await list('limit=7')).toEqual(all.slice(0, 7))
    expect(await list('limit=1')).toEqual(all.slice(0, 1))
  })

  it.each([1, 3, 7, 50, 199, 200, 201])('in pages of %i is the whole list', async (limit) => {
    expect(await pages(`limit=${limit}`, 'cursor')).toEqual(all)
    if (limit > 1) expect(await pages(`limit=${limit}`, 'link')).toEqual(all)
  })

  it('has no cursor on the last page, and an array as its body', async () => {
    const exact = await tenant.project.ok('GET', `${path}?limit=200`)
    expect(exact.headers.has('x-next-cursor')).toBe(false)
    expect(exact.headers.has('link')).toBe(false)
    expect(Array.isArray(exact.body)).toBe(true)
  })

  it('keeps its filters through the pages', async () => {
    const query = `status=error&limit=9&start_date=${iso(start + 4)}&end_date=${iso(start + 30)}`
    const expected = all.filter(
      ({ status, input }) => status === 'error' && Number(input) >= 20 && Number(input) < 150,
    )
    expect(expected.length).toBeGreaterThan(20)
    expect(await pages(query, 'cursor')).toEqual(expected)
    expect(await pages(query, 'link')).toEqual(expected)
  })

  it('is filtered by status and by time, start inclusive and end exclusive', async () => {
    const numbers = traces.map((_, i) => i)
    expect(inputs(await list('status=error&limit=1000'))).toEqual(numbers.filter((i) => i % 3 === 0))
    expect(inputs(await list('status=success&limit=1000'))).toEqual(numbers.filter((i) => i % 3 !== 0))
    const from = `start_date=${iso(start + 10)}`
    const to = `end_date=${iso(start + 20)}`
    expect(inputs(await list(`${from}&limit=1000`))).toEqual(numbers.slice(50))
    expect(inputs(await list(`${to}&limit=1000`))).toEqual(numbers.slice(0, 100))
    expect(inputs(await list(`${from}&${to}&limit=1000`))).toEqual(numbers.slice(50, 100))
    expect(await list(`start_date=${iso(start + 10)}&end_date=${iso(start + 10)}`)).toEqual([])
    expect(inputs(await list('start_date=2024-03-01&end_date=2024-03-02&limit=1000'))).toEqual(numbers)
    expect(await list('start_date=2024-03-02')).toEqual([])
    expect(await list('end_date=2024-03-01')).toEqual([])
    expect(await list('start_date=2999-01-01')).toEqual([])
    const offset = encodeURIComponent('2024-03-01T02:00:00.010+02:00')
    expect(inputs(await list(`start_date=${offset}&limit=1000`))).toEqual(numbers.slice(50))
  })

  it('in pages misses and repeats no trace while traces are written', async () => {
    let written = 0
    const write = async () => {
      const late = { input: '-1', output: 'late', created_at: iso(start + 1000 + written++) }
      await tenant.project.ok('POST', `/v1/${tenant.projectId}/traces`, late)
    }
    const seen = await pages('limit=10', 'cursor', write)
    expect(seen.filter(({ input }) => input !== '-1')).toEqual(all)
    expect(new Set(seen.map(({ trace_id }) => trace_id)).size).toBe(seen.length)
    expect(written).toBeGreaterThan(10)
  })

  it('as previews contains cut texts, and the newest score of each name', async () => {
    const project = `/v1/${tenant.projectId}`
    const { body: made } = await tenant.project.ok('POST', `${project}/traces`, {
      input: `${'a'.repeat(299)}🦉 and more`,
      output: 'short',
      version: '1.2.3',
      environment: 'staging',
      session_id: 'previewed',
      user_id: 'ann',
      model: 'gpt-4o',
    })
    for (const [name, value] of [
      ['tone', 0.2],
      ['helpful', 1],
      ['tone', 0.7],
    ]) {
      await tenant.project.ok('POST', `${project}/traces/${made.trace_id}/scores`, { name, value })
    }
    const [summary] = await list('session_id=previewed')
    expect(summary).not.toHaveProperty('scores')
    const [preview] = await list('session_id=previewed&view=preview')
    const context = {
      version: '1.2.3',
      environment: 'staging',
      session_id: 'previewed',
      user_id: 'ann',
      scores: [
        { name: 'tone', value: 0.7 },
        { name: 'helpful', value: 1 },
      ],
    }
    expect(preview).toEqual({ ...summary, ...context, input: `${'a'.repeat(299)}\ufffd` })
    const said = 'Where is my parcel? '.repeat(20)
    const messages = [
      { role: 'system', content: 'Be brief. '.repeat(40) },
      { role: 'user', content: said },
      { role: 'tool', content: '42 parcels' },
    ]
    const spoken = { role: 'assistant', content: 'In the van.' }
    await tenant.project.ok('POST', `${project}/traces`, {
      input: JSON.stringify({ model: 'gpt-4o', messages }),
      output: JSON.stringify({ choices: [{ message: spoken }] }),
      session_id: 'conversation',
    })
    expect(await list('session_id=conversation&view=preview')).toMatchObject([
      { input: said.slice(0, 300), output: 'In the van.' },
    ])
    expect((await list('session_id=conversation'))[0]?.input).toBe(
      JSON.stringify({ model: 'gpt-4o', messages }),
    )
    const rows = await pages('limit=50&view=preview&status=error', 'cursor')
    expect(rows.map(({ trace_id }) => trace_id)).toEqual(
      all.filter(({ status }) => status === 'error').map(({ trace_id }) => trace_id),
    )
    const wrong = await tenant.project.call('GET', `${path}?view=everything`)
    expect(wrong.status).toBe(400)
    expect(wrong.body.error.message).toContain('view')
  })

  describe('sorted', () => {
    interface Ranked extends Row {
      output: string
      latency_ms: number | null
      cost: number | null
      token_usage: { total_tokens: number } | null
    }
    const values = {
      time: ({ created_at }: Ranked) => Date.parse(created_at),
      latency: ({ latency_ms }: Ranked) => latency_ms,
      cost: ({ cost }: Ranked) => cost,
      tokens: ({ token_usage }: Ranked) => token_usage?.total_tokens ?? null,
    }
    let project: Tenant['project']
    let sorted: string
    let newest: Ranked[]

    /** Values repeat, and every seventh trace has none; half of the traces have a tag. */
    const ranked = Array.from({ length: 150 }, (_, i) => ({
      input: `${i}`,
      output: i % 5 === 0 ? 'rare words' : 'o',
      tags: i % 2 === 0 ? ['even'] : [],
      ...(i % 7 !== 0 && {
        latency_ms: (i * 37) % 50,
        cost: ((i * 53) % 40) / 7,
        token_usage: { total_tokens: (i * 29) % 30 },
      }),
      created_at: iso(start + Math.floor(i / 3)),
    }))

    beforeAll(async () => {
      const ranking = await createTenant(server.url)
      project = ranking.project
      sorted = `/v1/${ranking.projectId}/analytics/traces`
      await project.ok('POST', `/v1/${ranking.projectId}/traces/batch`, { traces: ranked })
      newest = (await project.ok('GET', `${sorted}?limit=1000`)).body
    })

    async function allPages(query: string): Promise<string[]> {
      const ids: string[] = []
      for (let next: string | undefined = `${sorted}?${query}`; next !== undefined; ) {
        const answer: Answer = await project.ok('GET', next)
        ids.push(...answer.body.map(({ trace_id }: Row) => trace_id))
        next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
      }
      return ids
    }

    /** Traces without a value are last in both directions; equal traces are newest first. */
    function inOrder(rows: readonly Ranked[], by: keyof typeof values, order: string): string[] {
      const of = values[by]
      if (by === 'time') return (order === 'asc' ? rows.toReversed() : rows).map(({ trace_id }) => trace_id)
      const sign = order === 'asc' ? 1 : -1
      const [known, unknown] = [
        rows.filter((row) => of(row) !== null),
        rows.filter((row) => of(row) === null),
      ]
      known.sort((a, b) => sign * ((of(a) ?? 0) - (of(b) ?? 0)))
      return [...known, ...unknown].map(({ trace_id }) => trace_id)
    }

    it.each(
      (['time', 'latency', 'cost', 'tokens'] as const).flatMap((by) =>
        (['desc', 'asc'] as const).map((order) => [by, order] as const),
      ),
    )('by %s, %s, is the whole list in pages, also with filters', async (by, order) => {
      const query = `sort_by=${by}&order=${order}`
      expect(await allPages(`${query}&limit=1000`)).toEqual(inOrder(newest, by, order))
      expect(await allPages(`${query}&limit=17`)).toEqual(inOrder(newest, by, order))
      const isEven = ({ input }: Ranked) => Number(input) % 2 === 0
      expect(await allPages(`${query}&limit=10&tag=even`)).toEqual(inOrder(newest.filter(isEven), by, order))
      const isRare = ({ output }: Ranked) => output === 'rare words'
      expect(await allPages(`${query}&limit=4&q=RARE+words&view=preview`)).toEqual(
        inOrder(newest.filter(isRare), by, order),
      )
    })

    it('rejects a cursor of another order, and an unknown value', async () => {
      const { headers } = await project.ok('GET', `${sorted}?sort_by=cost&limit=2`)
      const cursor = headers.get('x-next-cursor')
      for (const query of ['sort_by=latency', 'sort_by=cost&order=asc', 'sort_by=time', '']) {
        expect((await project.call('GET', `${sorted}?${query}&cursor=${cursor}`)).status, query).toBe(400)
      }
      const ofTime = (await project.ok('GET', `${sorted}?limit=2`)).headers.get('x-next-cursor')
      expect((await project.call('GET', `${sorted}?sort_by=cost&cursor=${ofTime}`)).status).toBe(400)
      expect((await project.call('GET', `${sorted}?sort_by=mood`)).status).toBe(400)
    })

    it('contains only the traces with the given ids', async () => {
      const ids = [newest[90], newest[3], newest[40]].map((row) => row?.trace_id ?? '')
      const named = ids.map((id) => `trace_id=${id}`).join('&')
      expect(await allPages(`${named}&trace_id=trc_unknown`)).toEqual([ids[1], ids[2], ids[0]])
      expect(await allPages(`${named}&sort_by=time&order=asc&limit=2`)).toEqual([ids[0], ids[2], ids[1]])
      expect(await allPages(`trace_id=${ids[0]}`)).toEqual([ids[0]])
      const many = Array.from({ length: 101 }, (_, at) => `trace_id=trc_${at}`).join('&')
      expect((await project.call('GET', `${sorted}?${many}`)).status).toBe(400)
    })
  })
})
