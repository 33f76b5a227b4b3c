import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realisticTrace } from '../../bench/src/support/realistic-traces.ts'
import { checkAgainstFile } from '../../bench/src/support/recompute.ts'
import { Api, createTenant } from '../support/api.ts'
import { createPlace, createProject, type Place, runCommand, startCommand } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { seededRandom } from '../support/random.ts'
import { type Server, startServer } from '../support/server.ts'

// Three transactions.
const monthLines = 5_000
const minutes = 60_000

interface Row {
  [field: string]: unknown
  custom_attributes: { number?: number }
}

/** A numbered line; every 997th line is no valid trace. */
function lineOf(number: number): string {
  if (number % 997 === 0)
    return number % 2 === 0 ? `{"input": ${number}` : `{"input": ${number}, "output": "x"}`
  const trace = realisticTrace(number, monthLines)
  return JSON.stringify({ ...trace, custom_attributes: { ...trace.custom_attributes, number } })
}

function linesOf(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => `${lineOf(from + index)}\n`).join('')
}

const isBad = (number: number) => number % 997 === 0

describe.each(databases)('cairn import, on $database', { timeout: 10 * minutes }, ({ database, env }) => {
  let place: Place
  let server: Server | undefined
  const file = (name: string) => join(place.dataDir, name)

  beforeAll(async () => {
    place = await createPlace(await env())
  })
  afterAll(async () => {
    await server?.stop()
    await place?.remove()
  })

  /** A server on the same database. The first test imports without it, later tests while it runs. */
  async function serverUrl(): Promise<string> {
    server ??= await startServer({ dataDir: place.dataDir, env: place.env })
    return server.url
  }

  async function withServer<T>(key: string, work: (api: Api) => Promise<T>): Promise<T> {
    return work(new Api(await serverUrl()).withKey(key))
  }

  async function newProject(): Promise<{ projectId: string; key: string }> {
    const { projectId, projectKey: key } = await createTenant(await serverUrl())
    return { projectId, key }
  }

  /** All traces of a project in its export, newest first. */
  function exported(project: { projectId: string; key: string }): Promise<Row[]> {
    return withServer(project.key, async (api) => {
      const { text } = await api.ok('GET', `/v1/${project.projectId}/analytics/export?format=jsonl`)
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row)
    })
  }

  async function rejectedLines(path: string): Promise<{ line: number; error: string; text: string }[]> {
    const text = await readFile(`${path}.rejected.jsonl`, 'utf8').catch(() => '')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }

  it('imports each line once, also after kills, and all summaries agree with the file', async () => {
    const project = await createProject(place)
    const path = file('month.jsonl')
    await writeFile(path, linesOf(0, monthLines))
    const random = seededRandom(11)
    const from = performance.now()
    await runCommand(place, ['migrate'])
    const startMs = performance.now() - from
    const resumed: number[] = []
    for (let round = 0; round < 12 && resumed.filter((line) => line > 0).length < 3; round++) {
      const { child, finished } = startCommand(place, ['import', project.projectId, path])
      await Promise.race([pause(startMs * (0.5 + 2 * random())), finished])
      child.kill('SIGKILL')
      const { stderr } = await finished
      const [, line = '0'] = /continuing after line ([\d,]+)/.exec(stderr) ?? []
      resumed.push(Number(line.replaceAll(',', '')))
    }
    const last = await runCommand(place, ['import', project.projectId, path])
    const bad = Array.from({ length: monthLines }, (_, number) => number).filter(isBad)
    expect(last).toMatchObject({ code: 1 })
    expect((await rejectedLines(path)).map(({ line }) => line)).toEqual(bad.map((number) => number + 1))
    const numbers = (await exported(project)).map(({ custom_attributes }) => custom_attributes.number)
    expect(numbers.length).toBe(monthLines - bad.length)
    expect(new Set(numbers).size).toBe(numbers.length)
    const check = await withServer(project.key, (api) =>
      checkAgainstFile(path, async (rest) => (await api.ok('GET', `/v1/${project.projectId}${rest}`)).body),
    )
    expect(check.differences).toEqual([])
    expect(check.numbers).toBeGreaterThan(5000)
  })

  it('does nothing the second time, continues with a file that has grown, and imports again on request', async () => {
    const project = await newProject()
    const path = file('growing.jsonl')
    const run = (...options: string[]) => runCommand(place, ['import', project.projectId, path, ...options])
    const count = async () => (await exported(project)).length
    await writeFile(path, linesOf(1, 101))
    expect(await run()).toMatchObject({ code: 0 })
    const second = await run()
    expect(second.code).toBe(0)
    expect(second.stdout).toContain('nothing to do: all lines')
    expect(await count()).toBe(100)

    await appendFile(path, linesOf(101, 996))
    expect((await run()).stdout).toContain('imported 895 traces')
    await appendFile(path, linesOf(996, 1001))
    const grown = await run('--again')
    expect(grown).toMatchObject({ code: 1, stderr: expect.stringContaining('line 997: ') })
    expect(await count()).toBe(999)
    expect((await run('--again')).stdout).toContain('imported 999 traces')
    expect(await count()).toBe(1998)
    expect((await rejectedLines(path)).length).toBe(1)

    await writeFile(path, linesOf(1, 201))
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('shorter') })
    // The progress does not apply to another project.
    const other = await newProject()
    expect((await runCommand(place, ['import', other.projectId, path])).stdout).toContain('imported 200')
  })

  it('restores an export; a computed cost does not become a cost of the client', async () => {
    const project = await newProject()
    const copy = await newProject()
    const at = (second: number) => new Date(Date.UTC(2026, 1, 3, 4, 5, second)).toISOString()
    const traces = [
      { ...realisticTrace(5, 9), created_at: at(1) },
      { input: 'a\0\ud800', output: '', created_at: at(2), cost_breakdown: { llm: 1, embedding: 2 } },
      {
        input: 'i',
        output: 'o',
        created_at: at(3),
        name: 'support agent',
        spans: [{ name: 's', span_id: 'b', model: 'm', cost: 0.5, events: [{ name: 'e', time: at(3) }] }],
        tool_calls: [{ name: 't', x: [1] }],
      },
    ]
    await withServer(project.key, async (api) => {
      const { results } = (await api.ok('POST', `/v1/${project.projectId}/traces/batch`, { traces })).body
      for (const value of [0.25, 0.5, 1]) {
        const path = `/v1/${project.projectId}/traces/${results[0].trace_id}/scores`
        const span_id = value === 0.5 ? 'b' : null
        await api.ok('POST', path, { name: 'tone', value, comment: value === 1 ? 'good' : null, span_id })
      }
    })
    const lines = await exported(project)
    const path = file('export.jsonl')
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    expect(await runCommand(place, ['import', copy.projectId, path])).toMatchObject({ code: 0 })
    const comparable = (rows: Row[]) =>
      rows.map(({ trace_id, scores, ...row }) => ({
        ...row,
        scores: (scores as Row[]).map(({ score_id, ...score }) => score),
      }))
    expect(comparable(await exported(copy))).toEqual(comparable(lines))

    const computed = { input: 'computed', output: 'o', cost: 5, cost_source: 'computed', created_at: at(4) }
    await writeFile(file('computed.jsonl'), JSON.stringify(computed))
    await runCommand(place, ['import', copy.projectId, file('computed.jsonl')])
    expect((await exported(copy))[0]).toMatchObject({ input: 'computed', cost: null, cost_source: null })
  })

  it('stops on SIGINT and prints how to continue', async () => {
    const project = await newProject()
    const { child, finished } = startCommand(place, ['import', project.projectId, '-'])
    // Two transactions, and an unfinished one.
    child.stdin?.write(linesOf(1, 900).repeat(5))
    while (child.stdin?.writableLength !== 0) await pause(20)
    await pause(500)
    child.kill('SIGINT')
    const { code, stdout } = await finished
    expect(code).toBe(130)
    expect(stdout).toContain('an import from standard input cannot be continued')
    const [, done = ''] = /stopped after line ([\d,]+)/.exec(stdout) ?? []
    expect(await exported(project)).toHaveLength(Number(done.replaceAll(',', '')))
  })

  it('imports traces while a server records others in the same database', async () => {
    const project = await newProject()
    const path = file('beside.jsonl')
    // Two transactions; the first one is full.
    await writeFile(path, linesOf(1, 2501))
    await withServer(project.key, async (api) => {
      const { finished } = startCommand(place, ['import', project.projectId, path])
      let isRunning = true
      void finished.then(() => {
        isRunning = false
      })
      let sent = 0
      for (; isRunning; sent++) {
        const trace = {
          input: `live ${sent}`,
          output: 'o',
          created_at: '2026-10-05T00:00:00Z',
          tags: ['live'],
        }
        await api.ok('POST', `/v1/${project.projectId}/traces`, trace)
      }
      expect(await finished).toMatchObject({ code: 1 })
      const period = 'start_date=2026-09-01&end_date=2026-12-01'
      const total = async (filter = '') => {
        const path = `/v1/${project.projectId}/analytics/metrics?${period}${filter}`
        return (await api.ok('GET', path)).body.total_queries
      }
      expect(sent).toBeGreaterThan(0)
      expect(await total('&tag=live')).toBe(sent)
      expect(await total()).toBe(2500 - 2 + sent)
    })
  })

  it('rejects one of two concurrent imports of the same file', async () => {
    const project = await newProject()
    const path = file('twice.jsonl')
    await writeFile(path, linesOf(1, 2501))
    const runs = await Promise.all([1, 2].map(() => runCommand(place, ['import', project.projectId, path])))
    const refused = runs.filter(({ stderr }) => stderr.includes('another import of this file is running'))
    expect(refused.length).toBeLessThan(2)
    expect(await exported(project)).toHaveLength(2500 - 2)
  })

  it('computes costs again by the command and by the console', async () => {
    const project = await newProject()
    const path = file('priced.jsonl')
    const line = (n: number) => JSON.stringify({ input: 'i', output: 'o', model: `m${n % 2}`, cost: n })
    await writeFile(path, `${line(1)}\n${line(2)}\n${line(3)}\n`)
    await runCommand(place, ['import', project.projectId, path])
    const byCommand = await runCommand(place, ['reprice', project.projectId, '--model', 'm1'])
    expect(byCommand.stdout).toBe('examined 2 traces, changed 0\ntotal cost 4.000000 -> 4.000000 USD\n')
    await withServer(project.key, async ({ url }) => {
      const admin = Api.admin(url)
      const answer = await admin.post(`/v1/console/projects/${project.projectId}/reprice`, {})
      expect(answer.body).toEqual({ examined: 3, changed: 0, total_before: 6, total_after: 6 })
      expect((await admin.post('/v1/console/projects/proj_none/reprice', {})).status).toBe(404)
    })
  })

  // These tests do not depend on the database.
  if (database !== 'SQLite') return

  it('writes invalid lines with their numbers to a file, and skips an incomplete last line until it is complete', async () => {
    const project = await newProject()
    const path = file('mixed.jsonl')
    const good = (input: string) => JSON.stringify({ input, output: 'o' })
    const lines = [
      Buffer.from(`\ufeff${good('with a mark')}\r`),
      Buffer.from('not JSON'),
      Buffer.from(''),
      Buffer.from('{"output":"o"}'),
      Buffer.from('[1]'),
      Buffer.from(`{"input":"${'x'.repeat(5000)}","output":"o"}`),
      Buffer.from([0x7b, 0xff, 0x7d]),
      Buffer.from('{"input":"i","output":"o","scores":[{"name":"n","value":2}]}'),
      Buffer.from('{"input":"i","output":"o","created_at":"yesterday"}'),
      Buffer.from('null'),
      Buffer.from(good('ü')),
    ]
    const whole = good('whole at last')
    const content = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))
    await writeFile(path, Buffer.concat([content, Buffer.from(whole.slice(0, 20))]))
    const run = (...options: string[]) =>
      runCommand(place, ['import', project.projectId, path, ...options], { CAIRN_MAX_JSON_BYTES: '4096' })
    const dry = await run('--dry-run')
    expect(dry).toMatchObject({ code: 1, stdout: expect.stringContaining('would import 2 traces') })
    expect(await rejectedLines(path)).toEqual([])

    const first = await run()
    expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining('line 12 is incomplete') })
    const rejected = await rejectedLines(path)
    expect(rejected.map(({ line }) => line)).toEqual([2, 4, 5, 6, 7, 8, 9, 10])
    expect(rejected.map(({ error }) => error)).toEqual([
      'the line is not valid JSON',
      'input is required',
      expect.stringContaining('object'),
      'the line has more than 4096 bytes',
      'the line is not UTF-8',
      expect.stringContaining('scores[0].value'),
      expect.stringContaining('created_at'),
      expect.stringContaining('object'),
    ])
    expect(rejected[0]?.text).toBe('not JSON')
    expect(rejected[3]?.text).toHaveLength(1000)
    expect(first.stderr).toContain('line 4: input is required')

    await appendFile(path, whole.slice(20))
    await run()
    await appendFile(path, `\n${good('behind it')}\n`)
    await run()
    expect((await exported(project)).map(({ input }) => input).toSorted()).toEqual(
      ['behind it', 'whole at last', 'with a mark', 'ü'].toSorted(),
    )
    expect(await rejectedLines(path)).toEqual(rejected)
  })

  it('ends with the status 1 if only its last line is incomplete', async () => {
    const project = await newProject()
    const path = file('cut.jsonl')
    await writeFile(path, `${linesOf(1, 3)}{"input":`)
    const { code, stdout } = await runCommand(place, ['import', project.projectId, path])
    expect(stdout).toContain('imported 2 traces, rejected 0 lines')
    expect(code).toBe(1)
  })

  it('reads compressed files and standard input, but cannot continue standard input', async () => {
    const project = await newProject()
    const path = file('packed.jsonl.gz')
    await writeFile(path, gzipSync(linesOf(1, 301)))
    expect((await runCommand(place, ['import', project.projectId, path])).stdout).toContain('imported 300')
    await writeFile(path, gzipSync(linesOf(1, 401)))
    expect((await runCommand(place, ['import', project.projectId, path])).stdout).toContain('imported 100')
    expect((await runCommand(place, ['import', project.projectId, path])).stdout).toContain('nothing to do')

    const { child, finished } = startCommand(place, ['import', project.projectId, '-'])
    child.stdin?.end(linesOf(401, 501))
    expect(await finished).toMatchObject({ code: 0, stdout: expect.stringContaining('imported 100 traces') })
    expect(await exported(project)).toHaveLength(500)
  })

  it('rejects unknown arguments with the usage', async () => {
    const { projectId } = await newProject()
    const path = file('any.jsonl')
    await writeFile(path, linesOf(1, 2))
    const calls = [
      ['import'],
      ['import', projectId],
      ['import', projectId, path, 'more'],
      ['import', projectId, path, '--bogus'],
      ['import', 'proj_none', path],
      ['import', projectId, file('none.jsonl')],
      ['reprice'],
      ['reprice', 'proj_none'],
      ['reprice', projectId, '--start-date', 'yesterday'],
    ]
    for (const args of calls) {
      const { code, stderr } = await runCommand(place, args)
      expect({ args, code, usage: stderr.includes(`usage: cairn ${args[0]} <project_id>`) }).toEqual({
        args,
        code: 2,
        usage: true,
      })
    }
    expect(await runCommand(place, ['serve', '--port', '80'])).toMatchObject({ code: 2 })
    expect((await runCommand(place, ['help'])).stdout).toContain('cairn import <project_id>')
  })
})
