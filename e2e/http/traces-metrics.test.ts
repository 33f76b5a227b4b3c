import { describe, expect, it } from 'vitest'
import { createTenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'

const day = 24 * 60 * 60 * 1000
const zeros = {
  total_queries: 0,
  successful: 0,
  failed: 0,
  avg_response_time_ms: 0,
  total_cost: 0,
  avg_cost_per_query: 0,
  unpriced_traces: 0,
}

describe.each(sharedServers)('metrics, on $database', ({ server }) => {
  /** A project of its own with these traces. */
  async function project(traces: object[]) {
    const tenant = await createTenant(server.url)
    const path = `/v1/${tenant.projectId}/analytics/metrics`
    const filled = traces.map((trace) => ({ input: 'i', output: 'o', ...trace }))
    if (filled.length > 0)
      await tenant.project.ok('POST', `/v1/${tenant.projectId}/traces/batch`, { traces: filled })
    return async (query = '') => (await tenant.project.ok('GET', path + query)).body
  }

  it('equal averages over the traces with a value, including errors', async () => {
    const metrics = await project([
      { latency_ms: 100, cost: 0.5 },
      { latency_ms: 0, cost: 0 },
      { latency_ms: 200.5, status: 'error', error: 'x' },
      { cost: 0.25, status: 'error' },
      {},
    ])
    expect(await metrics()).toMatchObject({
      total_queries: 5,
      successful: 3,
      failed: 2,
      avg_response_time_ms: (100 + 0 + 200.5) / 3,
      total_cost: 0.75,
      avg_cost_per_query: 0.75 / 5,
    })
    expect(await metrics('?status=error')).toMatchObject({
      ...{ total_queries: 2, successful: 0, failed: 2, avg_response_time_ms: 200.5 },
      ...{ total_cost: 0.25, avg_cost_per_query: 0.125 },
    })
    expect(await metrics('?status=success')).toMatchObject({
      ...{ total_queries: 3, successful: 3, failed: 0, avg_response_time_ms: 50, total_cost: 0.5 },
    })
  })

  it('have costs by the kind of the root span, also if its parent is a span of another service', async () => {
    const { project: api, projectId } = await createTenant(server.url)
    const top = { name: 'embed', span_id: 'a', parent_id: 'a span of another service', kind: 'embedding' }
    const below = { name: 'call', span_id: 'b', parent_id: 'a', kind: 'llm' }
    const parts = { llm: 0.25, embedding: 0.125, reranking: 0.0625 }
    const traces = [
      { cost: 4, spans: [below, top] },
      // The part of the total cost that is missing in the breakdown counts as llm.
      { cost: 1, cost_breakdown: parts },
      { cost_breakdown: parts },
    ].map((trace) => ({ input: 'i', output: 'o', ...trace }))
    await api.ok('POST', `/v1/${projectId}/traces/batch`, { traces })
    expect((await api.ok('GET', `/v1/${projectId}/analytics/costs`)).body).toMatchObject({
      total_cost: 5.4375,
      llm_cost: 0.8125 + 0.25,
      embedding_cost: 4.25,
      reranking_cost: 0.125,
    })
  })

  it('are zero without values', async () => {
    const none = await project([])
    for (const query of ['', '?status=error', '?start_date=2999-01-01', '?end_date=2000-01-01']) {
      const { period_start, period_end, ...numbers } = await none(query)
      expect(numbers, query).toEqual(zeros)
      expect(Date.parse(period_end)).toBeGreaterThanOrEqual(Date.parse(period_start))
    }
    const bare = await project([{}])
    expect(await bare()).toMatchObject({ ...zeros, total_queries: 1, successful: 1, unpriced_traces: 1 })
    expect(await bare('?start_date=2999-01-01')).toMatchObject(zeros)
  })

  it('cover the last 30 days by default', async () => {
    const now = Date.now()
    const at = (ms: number) => ({ created_at: new Date(ms).toISOString(), cost: 1 })
    const metrics = await project([
      at(now - 31 * day),
      at(now - 29.9 * day),
      at(now - day),
      at(now + 2 * day),
    ])
    const answer = await metrics()
    expect(answer).toMatchObject({ total_queries: 2, total_cost: 2 })
    expect(Date.parse(answer.period_end) - Date.parse(answer.period_start)).toBe(30 * day)
    expect(Math.abs(Date.parse(answer.period_end) - Date.now())).toBeLessThan(5000)
  })

  it('cover the requested period, start inclusive and end exclusive, and return it', async () => {
    const metrics = await project([
      { created_at: '2024-01-01T00:00:00.000Z', cost: 1 },
      { created_at: '2024-01-01T23:59:59.999Z', cost: 2 },
      { created_at: '2024-01-02T00:00:00.000Z', cost: 4 },
    ])
    const period = await metrics('?start_date=2024-01-01&end_date=2024-01-02')
    expect(period).toMatchObject({
      total_cost: 3,
      period_start: '2024-01-01T00:00:00.000Z',
      period_end: '2024-01-02T00:00:00.000Z',
    })
    expect(await metrics('?end_date=2024-01-02T00:00:00.001Z')).toMatchObject({
      total_cost: 7,
      period_start: '2023-12-03T00:00:00.001Z',
    })
    const open = await metrics('?start_date=2024-01-01T00:00:00.001Z')
    expect(open).toMatchObject({ total_cost: 6, period_start: '2024-01-01T00:00:00.001Z' })
    expect(Math.abs(Date.parse(open.period_end) - Date.now())).toBeLessThan(5000)
    expect(await metrics('?start_date=2024-01-01&end_date=2024-01-01')).toMatchObject(zeros)
  })

  it('count a trace as soon as it is acknowledged', async () => {
    const tenant = await createTenant(server.url)
    for (let i = 1; i <= 5; i++) {
      await tenant.project.ok('POST', `/v1/${tenant.projectId}/traces`, { input: 'i', output: 'o' })
      const { body } = await tenant.project.ok('GET', `/v1/${tenant.projectId}/analytics/metrics`)
      expect(body.total_queries).toBe(i)
    }
  })
})
