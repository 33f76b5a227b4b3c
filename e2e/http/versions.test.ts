import { beforeEach, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'

interface Row {
  version_id: string
  version: string
  is_active: boolean
}

const isoForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe.each(sharedServers)('versions, on $database', ({ server }) => {
  let tenant: Tenant
  let path: string

  beforeEach(async () => {
    tenant = await createTenant(server.url)
    path = `/v1/${tenant.projectId}/versions`
  })

  const publish = async (version: string, more: object = {}): Promise<string> =>
    (await tenant.project.ok('POST', path, { version, ...more })).body.version_id
  const read = async (sub = '') => (await tenant.project.ok('GET', path + sub)).body
  const record = (traces: object[]) =>
    tenant.project.ok('POST', `/v1/${tenant.projectId}/traces/batch`, {
      traces: traces.map((trace) => ({ input: 'i', output: 'o', ...trace })),
    })
  const active = async () =>
    ((await read()) as Row[]).filter(({ is_active }) => is_active).map(({ version }) => version)

  it('are an empty list at first', async () => {
    expect(await read()).toEqual([])
    expect(await read('/history')).toEqual([])
  })

  it('are published, listed newest first, the newest the only active one', async () => {
    const answer = await tenant.project.post(path, { version: '1.0.0', description: 'the first' })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      version_id: expect.stringMatching(/^ver_[0-9a-z]{20}$/),
      version: '1.0.0',
      created_at: expect.stringMatching(isoForm),
    })
    const first = answer.body
    expect(await read()).toEqual([{ ...first, description: 'the first', is_active: true }])
    // The order is the time of publication, not the order of texts or numbers.
    const later = []
    for (const version of ['1.10.0', '1.2.0', '0.1.0']) later.push(await publish(version))
    const all = await read()
    expect(all.map((row: Row) => row.version)).toEqual(['0.1.0', '1.2.0', '1.10.0', '1.0.0'])
    expect(all.map((row: Row) => row.is_active)).toEqual([true, false, false, false])
    expect(all.map((row: Row) => row.version_id)).toEqual([...later.toReversed(), first.version_id])
    expect(all[0].description).toBeNull()
  })

  it('are read with their exact configuration', async () => {
    const config = {
      model: 'no-model-of-ours',
      prompt: 'NUL \0, half \ud83d of a pair, 😀, "quotes", \\u0000, {{question}}\r\n  ',
      temperature: 0,
      max_tokens: 1,
    }
    const given: [object | null | undefined, object | null][] = [
      [config, config],
      [
        { ...config, other: 1, prompt: null },
        { model: config.model, temperature: 0, max_tokens: 1 },
      ],
      [{ prompt: '' }, { prompt: '' }],
      [{}, {}],
      [null, null],
      [undefined, null],
    ]
    for (const [i, [sent, kept]] of given.entries()) {
      const id = await publish(`1.0.${i}`, { config: sent, description: null })
      const detail = await read(`/${id}`)
      expect(detail).toEqual({
        version_id: id,
        version: `1.0.${i}`,
        description: null,
        is_active: true,
        created_at: expect.stringMatching(isoForm),
        config: kept,
        trace_count: 0,
        avg_latency_ms: 0,
        avg_cost: 0,
      })
    }
  })

  it('are unique texts: a repeated version is a conflict, other build metadata is another version', async () => {
    await publish('1.0.0+a', { description: 'kept' })
    await publish('1.0.0+b')
    const [before, history] = [await read(), await read('/history')]
    for (const version of ['1.0.0+a', '1.0.0+b']) {
      const answer = await tenant.project.post(path, { version, description: 'other' })
      expectRefusal(answer, { status: 409, project: true, names: version })
    }
    expect(await read()).toEqual(before)
    expect(await read('/history')).toEqual(history)
    for (const version of ['1.0.0', '1.0.0+A', '1.0.0-a+a']) await publish(version)
    const other = await createTenant(server.url)
    await other.project.ok('POST', `/v1/${other.projectId}/versions`, { version: '1.0.0' })
    expect(await active()).toEqual(['1.0.0-a+a'])
  })

  it('may have exactly the maximum length, and not more', async () => {
    const longest = `1.0.0-${'x'.repeat(250)}`
    expect((await read(`/${await publish(longest)}`)).version).toBe(longest)
    const answer = await tenant.project.post(path, { version: `${longest}x` })
    expectRefusal(answer, { status: 400, project: true, names: 'version' })
  })

  it('become the only active version by a rollback', async () => {
    const ids = []
    for (const version of ['1.0.0', '2.0.0', '3.0.0']) ids.push(await publish(version))
    const [one, two] = ids
    const answer = await tenant.project.post(`${path}/${one}/rollback`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      version_id: one,
      version: '1.0.0',
      is_active: true,
      rolled_back_at: expect.stringMatching(isoForm),
    })
    expect(await active()).toEqual(['1.0.0'])
    expect((await read(`/${one}`)).is_active).toBe(true)
    expect((await read(`/${two}`)).is_active).toBe(false)
    expect((await read('/history'))[0].activated_at).toBe(answer.body.rolled_back_at)
    // The active version can be activated again.
    expect((await tenant.project.post(`${path}/${one}/rollback`)).status).toBe(200)
    await tenant.project.ok('POST', `${path}/${two}/rollback`, {})
    expect(await active()).toEqual(['2.0.0'])
    await publish('4.0.0')
    expect(await active()).toEqual(['4.0.0'])
    const steps = (await read('/history')).map((row: { action: string } & Row) => [row.action, row.version])
    expect(steps.toReversed()).toEqual([
      ['publish', '1.0.0'],
      ['publish', '2.0.0'],
      ['publish', '3.0.0'],
      ['rollback', '1.0.0'],
      ['rollback', '1.0.0'],
      ['rollback', '2.0.0'],
      ['publish', '4.0.0'],
    ])
  })

  it('that do not exist cannot be rolled back to, and nothing changes', async () => {
    await publish('1.0.0')
    const other = await createTenant(server.url)
    const theirs = await other.project.ok('POST', `/v1/${other.projectId}/versions`, { version: '9.0.0' })
    const history = await read('/history')
    for (const id of ['ver_00000000000000000000', 'compare', 'history', theirs.body.version_id]) {
      const answer = await tenant.project.post(`${path}/${id}/rollback`)
      expectRefusal(answer, { status: 404, project: true, names: 'version not found' })
    }
    expect(await active()).toEqual(['1.0.0'])
    expect(await read('/history')).toEqual(history)
  })

  it('count exactly their traces, of any time and status', async () => {
    const id = await publish('1.0.0')
    await record([
      { version: '1.0.0', latency_ms: 100, cost: 0.5, created_at: '2001-01-01' },
      { version: '1.0.0', latency_ms: 300, status: 'error' },
      { version: '1.0.0', cost: 0 },
      { version: '1.0.0' },
      { version: '1.0.00', latency_ms: 9999, cost: 99 },
      { version: 'v1.0.0', latency_ms: 9999, cost: 99 },
      { latency_ms: 9999, cost: 99 },
    ])
    const other = await createTenant(server.url)
    const theirs = { input: 'i', output: 'o', version: '1.0.0', latency_ms: 9999, cost: 99 }
    await other.project.ok('POST', `/v1/${other.projectId}/traces`, theirs)
    expect(await read(`/${id}`)).toMatchObject({ trace_count: 4, avg_latency_ms: 200, avg_cost: 0.25 })
  })

  it('are compared in percent from a to b', async () => {
    const a = await publish('1.0.0')
    const b = await publish('2.0.0')
    await record([
      { version: '1.0.0', latency_ms: 100, cost: 0.5 },
      { version: '1.0.0', latency_ms: 300, cost: 0.5, status: 'error' },
      { version: '2.0.0', latency_ms: 50, cost: 1.5 },
      { version: '2.0.0', latency_ms: 50, cost: 1.5 },
      { version: '2.0.0' },
      { version: '2.0.0', status: 'error' },
    ])
    const [version_a, version_b] = [
      {
        version_id: a,
        version: '1.0.0',
        avg_latency_ms: 200,
        avg_cost: 0.5,
        total_traces: 2,
        error_rate: 0.5,
      },
      {
        version_id: b,
        version: '2.0.0',
        avg_latency_ms: 50,
        avg_cost: 1.5,
        total_traces: 4,
        error_rate: 0.25,
      },
    ]
    expect(await read(`/compare?a=${a}&b=${b}`)).toEqual({
      version_a,
      version_b,
      diff: { latency_change_pct: -75, cost_change_pct: 200, error_rate_change_pct: -50 },
    })
    const same = { latency_change_pct: 0, cost_change_pct: 0, error_rate_change_pct: 0 }
    expect(await read(`/compare?a=${a}&b=${a}`)).toEqual({ version_a, version_b: version_a, diff: same })
    expect((await read(`/compare?b=${a}&a=${b}`)).diff.latency_change_pct).toBe(300)
  })

  it('without traces compare as zeros; a change from zero is 100 %, a change to zero is -100 %', async () => {
    const none = await publish('1.0.0')
    const some = await publish('2.0.0')
    const least = await publish('3.0.0')
    await record([
      { version: '2.0.0', latency_ms: 7, cost: 1e15, status: 'error' },
      { version: '3.0.0', cost: 5e-324 },
    ])
    const diff = async (a: string, b: string) => (await read(`/compare?a=${a}&b=${b}`)).diff
    const all = (value: number) => ({
      latency_change_pct: value,
      cost_change_pct: value,
      error_rate_change_pct: value,
    })
    expect(await diff(none, none)).toEqual(all(0))
    expect(await diff(none, some)).toEqual(all(100))
    expect(await diff(some, none)).toEqual(all(-100))
    // JSON has no infinity.
    expect((await diff(least, some)).cost_change_pct).toBe(Number.MAX_VALUE)
  })

  it('are compared only if both are given and exist', async () => {
    const id = await publish('1.0.0')
    const wrong: [string, number, string][] = [
      ['', 400, 'a is required'],
      [`?a=${id}`, 400, 'b is required'],
      [`?b=${id}`, 400, 'a is required'],
      [`?a=&b=${id}`, 400, 'a must not be empty'],
      [`?a=${id}&b=`, 400, 'b must not be empty'],
      [`?a=${id}&a=${id}&b=${id}`, 400, 'a must be a string'],
      [`?a=${id}&b=%00`, 400, 'b must not contain'],
      [`?a=${id}&b=ver_00000000000000000000`, 404, 'version not found: b'],
      [`?a=1.0.0&b=${id}`, 404, 'version not found: a'],
    ]
    for (const [query, status, names] of wrong) {
      expectRefusal(
        await tenant.project.get(`${path}/compare${query}`),
        { status, project: true, names },
        query,
      )
    }
  })

  /** All rows of a list, in pages of a length. */
  async function inPages(list: string, limit: number) {
    const rows = []
    let next: string | undefined = `${list}?limit=${limit}`
    while (next !== undefined) {
      const answer = await tenant.project.ok('GET', next)
      rows.push(...answer.body)
      expect(answer.body.length).toBeLessThanOrEqual(limit)
      next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
      const cursor = answer.headers.get('x-next-cursor')
      if (cursor === null) expect(next).toBeUndefined()
      else expect(next).toBe(`${list}?limit=${limit}&cursor=${cursor}`)
    }
    return rows
  }

  it('are listed in pages, newest first, each version once', async () => {
    for (let i = 0; i < 5; i++) await publish(`2.0.${i}`)
    const all = await read('')
    expect(all).toHaveLength(5)
    for (const limit of [1, 2, 4, 5, 6]) expect(await inPages(path, limit)).toEqual(all)
  })

  it('have a history in pages, newest first, each activation once', async () => {
    const ids: string[] = []
    for (let i = 0; i < 4; i++) ids.push(await publish(`1.0.${i}`))
    for (let i = 0; i < 7; i++) await tenant.project.ok('POST', `${path}/${ids[i % 3]}/rollback`)
    const all = await read('/history')
    expect(all).toHaveLength(11)
    expect(all[0]).toEqual({
      activation_id: expect.stringMatching(/^act_[0-9a-z]{20}$/),
      version_id: ids[0],
      version: '1.0.0',
      action: 'rollback',
      activated_at: expect.stringMatching(isoForm),
    })
    const times = all.map((row: { activated_at: string }) => row.activated_at)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(new Set(times).size).toBe(11)
    for (const limit of [1, 2, 5, 10, 11, 12]) expect(await inPages(`${path}/history`, limit)).toEqual(all)
  })

  it('reject an invalid page', async () => {
    await publish('1.0.0')
    const first = await tenant.project.ok('GET', `/v1/${tenant.projectId}/analytics/traces?limit=1`)
    const ofTraces = Buffer.from(`1.trc_${'0'.repeat(20)}`).toString('base64url')
    expect(first.headers.has('x-next-cursor')).toBe(false)
    const wrong = ['limit=0', 'limit=1001', 'limit=-1', 'limit=1.5', 'limit=x', 'limit=', 'limit=1&limit=2']
    for (const query of wrong) {
      const answer = await tenant.project.get(`${path}/history?${query}`)
      expectRefusal(answer, { status: 400, project: true, names: 'limit' }, query)
    }
    for (const cursor of ['', 'x', ofTraces, '%00', encodeURIComponent('ü')]) {
      const answer = await tenant.project.get(`${path}/history?cursor=${cursor}`)
      expectRefusal(answer, { status: 400, project: true, names: 'cursor' }, cursor)
    }
  })
})
