import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'

const isoForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe.each(sharedServers)('traces, on $database', ({ server }) => {
  let tenant: Tenant
  let base: string

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    base = `/v1/${tenant.projectId}`
  })

  const post = (body: unknown, path = '/traces') => tenant.project.post(base + path, body)
  const detail = async (id: string) => (await tenant.project.ok('GET', `${base}/analytics/traces/${id}`)).body

  async function stored(trace: object) {
    return detail(
      (await tenant.project.ok('POST', `${base}/traces`, { input: 'i', output: 'o', ...trace })).body
        .trace_id,
    )
  }

  it('accept scores from 0 to 1, also with the same name, and list them newest first', async () => {
    const { trace_id } = await stored({})
    const path = `/traces/${trace_id}/scores`
    const values = [0, 1, 0.5, 0.0, 1e-9]
    for (const value of values) {
      const answer = await post({ name: ' quality ', value, comment: value === 1 ? 'good' : undefined }, path)
      expect(answer.status).toBe(201)
      expect(answer.body).toEqual({ success: true })
    }
    const { scores } = await detail(trace_id)
    expect(scores.map(({ value }: { value: number }) => value)).toEqual(values.toReversed())
    expect(scores[3]).toEqual({
      score_id: expect.stringMatching(/^scr_[0-9a-z]{20}$/),
      source: 'human',
      name: 'quality',
      value: 1,
      comment: 'good',
      created_at: expect.stringMatching(isoForm),
    })
    expect(scores[0].comment).toBeNull()
  })

  it('reject scores that are no number from 0 to 1, without a change', async () => {
    const { trace_id } = await stored({})
    const path = `${base}/traces/${trace_id}/scores`
    for (const value of ['1.01', '-0.01', '"1"', 'true', 'null', '[1]', '1e400', 'NaN', 'Infinity']) {
      const answer = await tenant.project.post(path, `{"name":"quality","value":${value}}`)
      expectRefusal(answer, { status: 400, project: true }, value)
    }
    expect((await detail(trace_id)).scores).toEqual([])
    const answer = await post({ name: 'quality', value: 1 }, '/traces/trc_00000000000000000000/scores')
    expectRefusal(answer, { status: 404, project: true, names: 'trace not found' })
  })
})
