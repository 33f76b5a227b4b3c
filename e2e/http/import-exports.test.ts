import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkAgainstFile } from '../../bench/src/support/recompute.ts'
import { Api, createTenant } from '../support/api.ts'
import { createPlace, type Place, runCommand, startCommand } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { seededRandom } from '../support/random.ts'
import { type Server, startServer } from '../support/server.ts'

const [traceCount, spansPerTrace] = [300, 10]
const fixture = (name: string) => new URL(`../../server/test/exports/${name}`, import.meta.url).pathname

interface Score {
  value: number
}

/** Observations of many traces, mixed. The first of each trace is its root. */
function observations(): object[] {
  const random = seededRandom(5)
  const all = Array.from({ length: traceCount * spansPerTrace }, (_, number) => {
    const [trace, index] = [number % traceCount, Math.floor(number / traceCount)]
    const from = Date.UTC(2026, 9, 1) + trace * 60_000 + index * 10
    return {
      id: `o-${number}`,
      trace_id: `t-${trace}`,
      parent_observation_id: index === 0 ? null : `o-${trace}`,
      type: index === 0 ? 'SPAN' : 'GENERATION',
      name: index === 0 ? 'root' : 'call',
      start_time: new Date(from).toISOString(),
      end_time: new Date(from + 500).toISOString(),
      version: '1.0',
      environment: 'production',
      input: `question ${number}`,
      output: `answer ${number}`,
      provided_model_name: index === 0 ? '' : 'gpt-4o-mini',
      usage_details: index === 0 ? {} : { input: 10, output: 5, total: 15 },
      cost_details: index === 0 ? {} : { total: 0.25 },
    }
  })
  return all
    .map((row) => ({ row, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ row }) => row)
}

describe.each(databases)('cairn import --from, on $database', ({ env }) => {
  let place: Place
  let server: Server
  let project: { projectId: string; api: Api }

  beforeAll(async () => {
    place = await createPlace(await env())
    server = await startServer({ dataDir: place.dataDir, env: place.env })
  })
  afterAll(async () => {
    await server?.stop()
    await place?.remove()
  })

  async function newProject() {
    const { projectId, projectKey } = await createTenant(server.url)
    project = { projectId, api: new Api(server.url).withKey(projectKey) }
  }
  const get = async (rest: string) => (await project.api.ok('GET', `/v1/${project.projectId}${rest}`)).body
  const exported = async () =>
    (await project.api.ok('GET', `/v1/${project.projectId}/analytics/export?format=jsonl`)).text
  const load = (file: string, ...options: string[]) =>
    runCommand(place, ['import', project.projectId, file, '--from', 'langfuse', ...options])

  it('imports traces, spans and scores with their ids; again, it changes nothing, and a deleted trace stays deleted', async () => {
    await newProject()
    const files = ['langfuse-scores.jsonl', 'langfuse-observations.jsonl', 'langfuse-traces.jsonl'].map(
      fixture,
    )
    const runs = []
    for (const file of files) runs.push(await load(file))
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([0, 0, 0].map((code) => [code, '']))
    expect(runs[0]?.stdout).toContain('imported 5 records, rejected 0 records')
    expect(runs[0]?.stdout).toContain('1  scores tone: categorical, and a score is a number')
    const id = '8e0f7a6b5c4d3e2f1a0b9c8d7e6f5a4b'
    const trace = await get(`/analytics/traces/${id}`)
    expect(trace).toMatchObject({
      name: 'support',
      user_id: 'ada',
      session_id: 'chat-5',
      cost: 0.0003,
    })
    expect(trace.scores.toSorted((a: Score, b: Score) => b.value - a.value)).toMatchObject([
      { name: 'grounded', value: 1, span_id: 'gen-1' },
      { name: 'helpful', value: 0.75, comment: 'quick' },
    ])
    expect(trace.spans.map(({ span_id }: { span_id: string }) => span_id)).toContain('gen-1')
    const before = await exported()
    for (const file of files) expect((await load(file)).stdout).toContain('nothing to do')
    for (const file of files) expect((await load(file, '--again', '--scale', 'unused=0..5')).code).toBe(0)
    expect(await exported()).toBe(before)
    expect(await get('/analytics/sessions')).toMatchObject([{ session_id: 'chat-5', trace_count: 1 }])

    await project.api.ok('DELETE', `/v1/${project.projectId}/traces/${id}`)
    expect(await load(files[1] as string, '--again')).toMatchObject({
      stderr: '',
      stdout: expect.stringContaining('4  the trace was deleted'),
    })
    expect(await exported()).toBe('')
  })

  it('continues after kills, beside a server; each span counts once, all sums agree, and no rule scores them', async () => {
    await newProject()
    const post = async (path: string, body: object) =>
      (await project.api.ok('POST', `/v1/${project.projectId}${path}`, body)).body
    await post('/scorers/rules', { name: 'all', scorer: 'json-valid' })
    const file = join(place.dataDir, 'observations.json')
    await writeFile(file, JSON.stringify(observations(), null, 1))
    for (const wait of [400, 800, 1600]) {
      const { child, finished } = startCommand(place, [
        'import',
        project.projectId,
        file,
        '--from',
        'langfuse',
      ])
      await Promise.race([pause(wait), finished])
      child.kill('SIGKILL')
      await finished
    }
    const last = await load(file)
    expect({ code: last.code, error: last.code === 0 ? '' : last.stderr }).toEqual({ code: 0, error: '' })
    const out = await exported()
    const rows = out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    expect(rows.length).toBe(traceCount)
    expect(
      rows.every((row) => row.spans.length === spansPerTrace && row.token_usage.total_tokens === 135),
    ).toBe(true)
    expect(rows.every(({ cost }) => cost === 2.25)).toBe(true)
    const copy = join(place.dataDir, 'export.jsonl')
    await writeFile(copy, out)
    const check = await checkAgainstFile(copy, get)
    expect(check.differences).toEqual([])

    // Rules are for new traces.
    const { trace_id } = await post('/traces', { input: 'i', output: '{}' })
    await vi.waitFor(
      async () => expect((await get(`/analytics/traces/${trace_id}`)).scores).toHaveLength(1),
      {
        timeout: 10_000,
      },
    )
    expect((await exported()).match(/"scorer":"json-valid"/g)).toHaveLength(1)
  })

  it('stores bad records with line and field, and imports the others', async () => {
    await newProject()
    const file = join(place.dataDir, 'bad.jsonl')
    const good = { id: 'a', trace_id: 't', start_time: '2026-10-01 09:00:00', type: 'SPAN' }
    const lines = [
      good,
      { ...good, trace_id: null },
      { ...good, id: 'b', usage_details: 3 },
      { ...good, id: 'c' },
    ]
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const dry = await load(file, '--dry-run')
    expect(dry).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('would import 2 records, rejected 2'),
    })
    expect(await exported()).toBe('')
    const run = await load(file)
    expect(run.code).toBe(1)
    expect(run.stderr).toContain('line 2: trace_id is required')
    const rejected = (await readFile(`${file}.rejected.jsonl`, 'utf8')).trim().split('\n')
    expect(rejected.map((line) => JSON.parse(line))).toMatchObject([
      { line: 2, error: 'trace_id is required' },
      { line: 3, error: 'usage_details must be an object' },
    ])
    expect((await get('/analytics/traces/t')).spans).toMatchObject([{ span_id: 'a' }, { span_id: 'c' }])
    for (const options of [
      ['--from', 'other'],
      ['--scale', 'a=1..5'],
      ['--from', 'opik', '--scale', 'a=5..1'],
    ]) {
      const { code } = await runCommand(place, ['import', project.projectId, file, ...options])
      expect(code).toBe(2)
    }
  })
})
