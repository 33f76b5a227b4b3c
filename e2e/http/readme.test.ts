import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { QueryResponse, UploadedFile } from '@cairn/sdk'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Api, createTenant } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { adminToken, type Server, startServer } from '../support/server.ts'
import { codeBlocks, shellBlock } from './readme.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function page(name: string): string {
  return readFileSync(root + name, 'utf8')
}

/** Replaces a part that the text contains exactly once. */
function replaceOnce(text: string, from: string, to: string): string {
  expect(text.split(from)).toHaveLength(2)
  return text.replace(from, () => to)
}

/** The runtime of the server, and another Node of the machine, if there is one. */
const nodes = [process.execPath, '/usr/bin/node'].filter((path) => existsSync(path))

describe('the commands of the documentation, run unchanged', () => {
  let server: Server

  beforeAll(async () => {
    // The token in the data folder, as for a new user.
    server = await startServer({ env: { CAIRN_ADMIN_TOKEN: undefined } })
  })
  afterAll(() => server?.stop())

  async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
    const options = { cwd: root, env: { PATH: process.env.PATH, ...env } }
    const { stdout, stderr } = await promisify(execFile)(command, args, options)
    expect(stderr).toBe('')
    return stdout
  }

  /** Replaces the address and the path of the token; all else is as in the page. */
  function here(code: string): string {
    const prepared = replaceOnce(code, 'http://127.0.0.1:8000', server.url)
    return replaceOnce(prepared, 'data/admin-token', `${server.dataDir}/admin-token`)
  }

  function bash(script: string): Promise<string> {
    return run('bash', ['--norc', '-euo', 'pipefail', '-c', here(script)])
  }

  function node(script: string, env?: Record<string, string>): Promise<string> {
    return run(process.execPath, ['--input-type=module-typescript', '--eval', script], env)
  }

  it('README: five calls from an empty server to a cited answer', async () => {
    const block = shellBlock(page('README.md'), 'CAIRN=')
    expect(block.match(/\bcurl /g)).toHaveLength(5)
    const lines = (await bash(block)).trim().split('\n')
    const [uploaded, answered] = lines.map((line) => JSON.parse(line) as unknown)
    expect(uploaded as UploadedFile).toMatchObject({ success: true, filename: 'handbook.md' })
    const { answer, context, citations } = answered as QueryResponse
    const [, index] = /27 days of paid leave.*?\[\^(\d+)\]/s.exec(answer) ?? []
    expect(context[Number(index)]?.chunk_text).toContain('27 days of paid leave')
    expect(citations[0]?.source).toBe('handbook.md')
  })

  it('first answer, by curl: upload, answer, stream, trace, metrics, export', async () => {
    const output = await bash(codeBlocks(page('docs/guides/first-answer.md'), 'bash').join('\n'))
    expect(output).toContain('"scope_filters_applied":{"year":2026}')
    expect(output).toContain('60 days')
    expect(output).toContain('data: {"type":"end"')
    expect(output).toMatch(/"spans":\[\{"name":"retrieve"/)
    expect(output).toContain('"total_queries":2')
    expect(output).toContain('trace_id,created_at,status,')
    expect(output).not.toMatch(/"detail"|"error":\{/)
  })

  it('first answer, by TypeScript', async () => {
    const [script = ''] = codeBlocks(page('docs/guides/first-answer.md'), 'ts')
    const output = await node(here(script))
    expect(output).toContain('60 days')
    expect(output).toContain('first Tuesday')
    expect(output).toMatch(/^trc_\w+ When is the fire drill\?$/m)
    expect(output.trimEnd()).toMatch(/true$/)
  })

  it('record traces, by curl', async () => {
    const output = await bash(codeBlocks(page('docs/guides/record-traces.md'), 'bash').join('\n'))
    expect(output).toContain('{"success":true}')
    expect(output).toMatch(/"name":"helpful","value":0.8,"comment":"short, but right"/)
    expect(output).toMatch(/"start_ms":1795248000000,"end_ms":1795248000120/)
    expect(output).toContain('"created":1,"failed":1')
    expect(output).toContain('"total_queries":2')
    expect(output).not.toMatch(/"error":\{/)
  })

  it('versions, by curl', async () => {
    const output = await bash(codeBlocks(page('docs/guides/versions.md'), 'bash').join('\n'))
    const [listed, , compared, rolledBack, history] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(listed.map((row: { is_active: boolean }) => row.is_active)).toEqual([true, false])
    expect(compared.diff).toMatchObject({ latency_change_pct: 50, error_rate_change_pct: 100 })
    expect(compared.diff.cost_change_pct).toBeCloseTo(300)
    expect(rolledBack).toMatchObject({ version: '1.0.0', is_active: true })
    expect(history.map((row: { version: string }) => row.version)).toEqual(['1.0.0', '1.1.0', '1.0.0'])
  })

  it('score outputs, by curl', async () => {
    const output = await bash(codeBlocks(page('docs/guides/score-outputs.md'), 'bash').join('\n'))
    const [score, scores, made, scorers, batch, failures, rule, changed, list, averages] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(score).toMatchObject({ scorer: 'correctness', method: 'local', model: null })
    expect(score.score).toBeLessThan(0.5)
    expect(score.reasoning).toContain('20 books')
    expect(scores).toMatchObject([{ name: 'correctness', value: score.score }])
    expect(made).toMatchObject({ slug: 'tone', built_in: false })
    expect(scorers).toHaveLength(13)
    expect(batch).toMatchObject({
      state: 'completed',
      total: 1,
      done: 1,
      failed: 0,
      skipped: 0,
      mean_score: 1,
    })
    expect(failures).toEqual([])
    expect(rule).toMatchObject({ name: 'live tone', enabled: true, last_error: null })
    expect(changed).toMatchObject({ rule_id: rule.rule_id, enabled: false })
    expect(list).toMatchObject([{ name: 'toxicity', source: 'batch', source_id: batch.scoring_id, value: 1 }])
    expect(averages.scores).toMatchObject([{ name: 'toxicity', average: 1 }])
    expect(averages.scores[0].histogram.at(-1)).toBeGreaterThan(0)
  })

  it('test suites, by curl', async () => {
    const output = await bash(codeBlocks(page('docs/guides/test-suites.md'), 'bash').join('\n'))
    const [first = '', rest = ''] = output.split('<?xml')
    const results = JSON.parse(first)
    expect(results).toMatchObject({ status: 'completed', total: 2, passed: 1 })
    expect(results.results).toMatchObject([{ passed: true }, { passed: false, category: 'approval' }])
    const [xml = '', after = ''] = rest.split('</testsuites>')
    expect(xml).toContain('tests="2" failures="1"')
    const lines = after.trim().split('\n')
    const [started, runs, compared] = lines.slice(0, 3).map((line) => JSON.parse(line))
    expect(started).toMatchObject({ status: 'running' })
    expect(runs).toMatchObject([{ name: 'nightly' }, { pass_rate: 0.5 }])
    expect(compared.run_b.run_id).toBe(started.run_id)
    const commands = lines.slice(3).join('\n')
    expect(commands).toMatch(/^imported 1 case$/m)
    expect(commands.match(/^pass rate {2}66.67 %$/gm)).toHaveLength(2)
    expect(commands).toMatch(/^ {2}pass rate +66.67 % \(2 of 3\) +66.67 % \(2 of 3\)$/m)
    expect(commands).toContain('  improved: 0\n  regressed: 0')
  })

  it('edit documents, by curl', async () => {
    const output = await bash(codeBlocks(page('docs/guides/edit-documents.md'), 'bash').join('\n'))
    const [made, changed, answered, deleted, held] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(made).toMatchObject({ status: 'success', chunk_count: 1, duplicate_skipped: false })
    expect(changed.properties).toMatchObject({ text: expect.stringContaining('four weeks'), checked: true })
    expect((answered as QueryResponse).answer).toContain('four weeks')
    expect(deleted).toMatchObject({ status: 'success', nodes_deleted: 2 })
    expect(held).toMatchObject({ documents_found: 0, total_chunks: 0 })
  })

  it('applications, by curl', async () => {
    const output = await bash(codeBlocks(page('docs/guides/applications.md'), 'bash').join('\n'))
    const [registered, users, changed] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(registered).toMatchObject({ app_name: 'My app', users: 0, api_access_enabled: true })
    expect(users).toEqual([])
    expect(changed.api_access_enabled).toBe(false)
  })

  it('costs, by curl', async () => {
    const output = await bash(codeBlocks(page('docs/guides/costs.md'), 'bash').join('\n'))
    const [builtIn = '', set = '', , listed = '', deleted = ''] = output.split('\n')
    expect(JSON.parse(builtIn)).toContainEqual(expect.objectContaining({ model: 'gpt-4.1', input: 2 }))
    expect(JSON.parse(set)).toMatchObject({ model: 'gpt-4o-mini', input: 0.1, cache_read: null })
    expect(JSON.parse(listed)).toHaveLength(1)
    expect(JSON.parse(deleted)).toEqual({ success: true, message: 'price deleted' })
    expect(output).not.toMatch(/"detail"|"error":\{/)
  })

  it('models, by curl: configure a provider, test it, list, delete', async () => {
    const output = await bash(codeBlocks(page('docs/guides/models.md'), 'bash').join('\n'))
    const [set, tried, models, forgotten] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(set).toMatchObject({ provider: 'compatible', configured: true, source: 'console' })
    expect(tried).toEqual({
      detail: expect.stringContaining('llama3.2 could not be reached'),
      type: 'model_failed',
      request_id: expect.stringMatching(/^req_/),
    })
    expect(models.default_model).toBe('llama3.2')
    expect(forgotten).toMatchObject({ success: true })
  })

  it('credits and budgets, by curl', async () => {
    const output = await bash(codeBlocks(page('docs/guides/credits-and-budgets.md'), 'bash').join('\n'))
    const [set, deleted, budget, all, own] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(set).toMatchObject({ model: 'llama3.2', multiplier: 0.5, built_in: null })
    expect(deleted).toMatchObject({ success: true })
    expect(budget).toMatchObject({ period: 'month', unit: 'credits', limit: 500, spent: 0, remaining: 500 })
    expect(all.group_by).toEqual(['project', 'model'])
    expect(own).toMatchObject({ group_by: ['chat', 'day'], total: { answers: 0 } })
  })

  it('record traces, by TypeScript', async () => {
    const [script = ''] = codeBlocks(page('docs/guides/record-traces.md'), 'ts')
    const own = await startServer({ env: { CAIRN_ADMIN_TOKEN: adminToken } })
    try {
      const { projectId, projectKey } = await createTenant(own.url)
      const env = { PROJECT: projectId, PROJECT_KEY: projectKey }
      expect(await node(replaceOnce(script, 'http://127.0.0.1:8000', own.url), env)).toBe('Hello\n')
    } finally {
      await own.stop()
    }
  })

  it('scripts of the guides run on the Node of the repository, whatever Node npm has', async () => {
    expect(page('docs/guides/first-answer.md')).toContain('`npm exec -- node first.mts`')
    const script =
      "import { createClient } from '@cairn/sdk'; console.log(typeof createClient, process.version)"
    const args = ['exec', '--', 'node', '--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)('npm', args, {
      cwd: root,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: process.env.HOME },
    })
    expect(stdout).toMatch(/^function v24\./)
  })

  it('webhooks, by curl: register, test, delivery log, event log', async () => {
    const output = await bash(codeBlocks(page('docs/guides/webhooks.md'), 'bash').join('\n'))
    const [tested, deliveries, events] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(tested).toMatchObject({ type: 'webhook_test', status: 'pending' })
    expect(deliveries).toMatchObject([{ delivery_id: tested.delivery_id, error: expect.any(String) }])
    expect(events).toMatchObject([{ type: 'webhook_test', event_id: tested.event_id }])
  })

  it.each(nodes)('webhooks: the receiver accepts only valid signatures, on %s', async (executable) => {
    const [script = ''] = codeBlocks(page('docs/guides/webhooks.md'), 'js')
    const own = await startServer({ env: { CAIRN_ALLOW_INSECURE_ISSUERS: 'true' } })
    const admin = Api.admin(own.url)
    const { projectId } = await createTenant(own.url)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/`
    const webhooks = `/v1/console/projects/${projectId}/webhooks`
    const { webhook_id, secret } = (await admin.ok('POST', webhooks, { url })).body
    const args = ['--input-type=module', '--eval', replaceOnce(script, '4000', String(port))]
    const receiver = spawn(executable, args, { env: { WEBHOOK_SECRET: secret } })
    let output = ''
    receiver.stdout.on('data', (part) => (output += part))
    try {
      await vi.waitFor(() => expect(output).toContain('listening'), { timeout: 10_000 })
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
      await admin.ok('POST', `/v1/console/webhooks/${webhook_id}/test`)
      await vi.waitFor(() => expect(output).toContain(`webhook_id: '${webhook_id}'`), { timeout: 10_000 })
      // The receiver gets the call a moment before the server stores its response.
      await vi.waitFor(async () => {
        const deliveries = await admin.ok('GET', `/v1/console/webhooks/${webhook_id}/deliveries`)
        expect(deliveries.body).toMatchObject([{ attempt: 1, response_status: 204 }])
      })
    } finally {
      receiver.kill()
      await once(receiver, 'exit')
      await own.stop()
    }
  })
})
