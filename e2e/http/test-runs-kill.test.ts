import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { runCommand } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { Endpoint } from '../support/endpoint.ts'
import { createSuite, type NewCase, runEnd, startRun } from '../support/runs.ts'
import { type Server, startServer } from '../support/server.ts'

const builtin = { target: { type: 'builtin' } }

/** Cases; every third one fails. */
const casesOf = (count: number): NewCase[] =>
  Array.from({ length: count }, (_, n) => ({
    query: `question ${n}`,
    expected_answer: 'x',
    assertions: [{ type: 'contains', value: n % 3 === 0 ? 'absent' : 'Nothing' }],
  }))

interface Result {
  case_id: string
  trace_id: string
  passed: boolean
  actual_output: string
}

const outcomesOf = (results: Result[]) =>
  results.map(({ case_id, passed, actual_output }) => [case_id, passed, actual_output])

const moved = (url: string, tenant: Tenant) => new Api(url, tenant.project.credential)

async function resultsOf(project: Api, projectId: string, runId: string) {
  return (await project.ok('GET', `/v1/${projectId}/testing/runs/${runId}/results`)).body
}

/** The number of traces of a run, and the numbers of different cases and ids. */
async function tracesOf(project: Api, projectId: string, runId: string) {
  const { text } = await project.ok(
    'GET',
    `/v1/${projectId}/analytics/export?format=jsonl&attr.run_id=${runId}`,
  )
  const traces = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  return { count: traces.length, ids: new Set(traces.map(({ trace_id }) => trace_id as string)) }
}

/** Another process takes over a case of a killed process after its lease. */
const lease = { CAIRN_JOB_LEASE_SECONDS: '2' }
const patience = { timeout: 240_000 }

describe.each(databases)('runs after kills, on $database', patience, ({ database, env }) => {
  const servers: Server[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop()
  })
  const start = async (options: Parameters<typeof startServer>[0]) => {
    const server = await startServer(options)
    servers.push(server)
    return server
  }

  // A third of them fails.
  const [cases, failures] = { SQLite: [500, 167], PostgreSQL: [250, 84] }[database] as [number, number]

  it(`${cases} cases, killed twice during the run: each has one result, the same as without a kill`, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'cairn-runs-'))
    const place = { dataDir, env: { ...(await env()), ...lease } }
    let server = await start(place)
    const tenant = await createTenant(server.url)
    const { projectId } = tenant
    const { suiteId, caseIds } = await createSuite(tenant.project, projectId, casesOf(cases), builtin)
    const runId = await startRun(tenant.project, projectId, suiteId, { concurrency: 8 })
    const done: number[] = []
    for (const enough of [0.15 * cases, 0.5 * cases]) {
      const project = moved(server.url, tenant)
      await runEnd(project, projectId, runId, ({ passed, failed }) => passed + failed >= enough)
      await server.kill()
      servers.length = 0
      server = await start(place)
      const { passed, failed, status } = (
        await moved(server.url, tenant).ok('GET', `/v1/${projectId}/testing/runs/${runId}`)
      ).body
      done.push(passed + failed)
      expect(status).toBe('running')
    }
    expect(done.every((count) => count < cases)).toBe(true)
    console.info(`${database}: killed with ${done.join(' and ')} of ${cases} results`)

    const project = moved(server.url, tenant)
    await runEnd(project, projectId, runId)
    const killed = await resultsOf(project, projectId, runId)
    expect(killed).toMatchObject({
      status: 'completed',
      total: cases,
      passed: cases - failures,
      failed: failures,
      pass_rate: (cases - failures) / cases,
    })
    expect(killed.results.map(({ case_id }: Result) => case_id)).toEqual(caseIds)
    const unkilledId = await startRun(project, projectId, suiteId, { concurrency: 8 })
    await runEnd(project, projectId, unkilledId)
    const unkilled = await resultsOf(project, projectId, unkilledId)
    expect(outcomesOf(killed.results)).toEqual(outcomesOf(unkilled.results))

    const traces = await tracesOf(project, projectId, runId)
    expect(traces.count).toBe(cases)
    expect(traces.ids).toEqual(new Set(killed.results.map(({ trace_id }: Result) => trace_id)))
    const events = (await project.ok('GET', `/v1/${projectId}/events?type=run_completed`)).body
    expect(events).toHaveLength(2)
    await server.stop()
    servers.length = 0
    expect(await runCommand({ ...place, remove: async () => {} }, ['doctor'])).toMatchObject({ code: 0 })
    await rm(place.dataDir, { recursive: true, force: true })
  })

  it('a case whose call was interrupted by a kill or a stop is called again and does not fail', async () => {
    const endpoint = await Endpoint.start()
    const place = {
      dataDir: await mkdtemp(join(tmpdir(), 'cairn-runs-')),
      env: { ...(await env()), ...lease, CAIRN_ALLOW_INSECURE_ISSUERS: 'true' },
    }
    endpoint.answer = (_, number) => (number <= 2 ? 'nothing' : { body: { output: 'Nothing' } })
    let server = await start(place)
    const tenant = await createTenant(server.url)
    const { projectId } = tenant
    const target = { type: 'http', url: endpoint.url }
    const { suiteId } = await createSuite(tenant.project, projectId, casesOf(3), { target })
    const runId = await startRun(tenant.project, projectId, suiteId, { concurrency: 1 })
    await vi.waitFor(() => expect(endpoint.calls).toHaveLength(1), { timeout: 10_000 })
    await server.kill()
    servers.length = 0
    server = await start(place)
    await vi.waitFor(() => expect(endpoint.calls).toHaveLength(2), { timeout: 60_000 })
    await server.stop()
    servers.length = 0
    server = await start(place)
    const project = moved(server.url, tenant)
    expect(await runEnd(project, projectId, runId)).toMatchObject({
      status: 'completed',
      errors: 0,
      passed: 2,
      failed: 1,
    })
    expect(endpoint.calls).toHaveLength(5)
    expect((await tracesOf(project, projectId, runId)).count).toBe(3)
    endpoint.stop()
    await server.stop()
    servers.length = 0
    await rm(place.dataDir, { recursive: true, force: true })
  })
})

describe('two server processes on one PostgreSQL', patience, () => {
  it('share the cases of a run; each case is called once and has one result', async () => {
    const endpoint = await Endpoint.start()
    endpoint.answer = async ({ body }) => {
      await new Promise((resolve) => setTimeout(resolve, 15))
      return { body: { output: body.query } }
    }
    const env = {
      ...(await databases[1].env()),
      CAIRN_ALLOW_INSECURE_ISSUERS: 'true',
      CAIRN_MAX_CASES: '5',
    }
    const [one, two] = [await startServer({ env }), await startServer({ env })]
    const tenant = await createTenant(one.url)
    const { project, projectId } = tenant
    const target = { type: 'http', url: endpoint.url }
    const cases = casesOf(200).map((each) => ({
      ...each,
      assertions: [{ type: 'contains', value: 'question' }],
    }))
    const { suiteId, caseIds } = await createSuite(project, projectId, cases, { target })
    const runId = await startRun(project, projectId, suiteId, { concurrency: 8 })
    await runEnd(moved(two.url, tenant), projectId, runId)
    const { results, ...head } = await resultsOf(moved(two.url, tenant), projectId, runId)
    expect(head).toMatchObject({ status: 'completed', total: 200, passed: 200, failed: 0 })
    expect(results.map(({ case_id }: Result) => case_id)).toEqual(caseIds)
    const asked = endpoint.calls.map(({ body }) => body.query as string)
    expect(asked.toSorted()).toEqual(cases.map(({ query }) => query).toSorted())

    // Eight concurrent cases, four per process: one of its five places stays free for other projects.
    // After a cancellation in one process, the other one ends its calls, too.
    endpoint.calls.length = 0
    endpoint.answer = () => 'nothing'
    const second = await startRun(project, projectId, suiteId, { concurrency: 8 })
    await vi.waitFor(() => expect(endpoint.calls).toHaveLength(8), { timeout: 10_000 })
    await moved(two.url, tenant).ok('POST', `/v1/${projectId}/testing/runs/${second}/cancel`)
    await vi.waitFor(() => expect(endpoint.calls.every(({ aborted }) => aborted)).toBe(true), {
      timeout: 10_000,
    })
    expect(endpoint.calls).toHaveLength(8)
    expect(await resultsOf(project, projectId, second)).toMatchObject({ status: 'cancelled', results: [] })
    endpoint.stop()
    await one.stop()
    await two.stop()
  })
})
