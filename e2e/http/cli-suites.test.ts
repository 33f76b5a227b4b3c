import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Api, createTenant, type Tenant } from '../support/api.ts'
import { createPlace, type Place, runCommand, startCommand } from '../support/command.ts'
import { oneDatabase } from '../support/databases.ts'
import { Endpoint } from '../support/endpoint.ts'
import { createSuite } from '../support/runs.ts'
import { type Server, startServer } from '../support/server.ts'

const builtin = { target: { type: 'builtin' } }
const says = (value: string) => [{ type: 'contains', value }]
const passing = { query: 'passes', expected_answer: '', assertions: says('Nothing') }
const failing = { query: 'fails\u001b[31m\nhere', expected_answer: '', assertions: says('absent') }

/** The names of the elements and their attributes in an XML document; throws if it is not well-formed. */
function elementsOf(xml: string): { name: string; attributes: Record<string, string> }[] {
  const elements: { name: string; attributes: Record<string, string> }[] = []
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    elements.push({ name, attributes: attributes as Record<string, string> })
  })
  parser.write(xml).close()
  return elements
}

describe.each(oneDatabase)('commands for suites, on $database', ({ env }) => {
  let server: Server
  let tenant: Tenant
  let project: Api
  let projectId: string
  let folder: string
  // The commands are clients, so they have neither a database nor a data folder.
  let place: Place

  beforeAll(async () => {
    server = await startServer({ env: { ...(await env()), CAIRN_ALLOW_INSECURE_ISSUERS: 'true' } })
    tenant = await createTenant(server.url)
    ;({ project, projectId } = tenant)
    folder = await mkdtemp(join(tmpdir(), 'cairn-cli-'))
    place = await createPlace({
      CAIRN_URL: server.url,
      CAIRN_API_KEY: tenant.projectKey,
      CAIRN_PROJECT_ID: projectId,
    })
  })
  afterAll(async () => {
    await server?.stop()
    await place?.remove()
    await rm(folder, { recursive: true, force: true })
  })

  const file = (name: string) => join(folder, name)
  const cairn = (...args: string[]) => runCommand(place, args)
  const casesOf = async (suiteId: string) =>
    (await project.ok('GET', `/v1/${projectId}/testing/suites/${suiteId}/cases`)).body
  const suiteNamed = async (name: string) =>
    (await project.ok('GET', `/v1/${projectId}/testing/suites`)).body.find(
      (suite: { name: string }) => suite.name === name,
    )
  async function write(name: string, text: string): Promise<string> {
    await writeFile(file(name), text)
    return file(name)
  }

  describe('cairn test', () => {
    it('runs a suite by its name: numbers, failed cases, files, and the exit code for CI', async () => {
      const cases = [passing, failing, { ...passing, query: 'passes too' }, { ...passing, query: 'and this' }]
      const { suiteId, caseIds } = await createSuite(project, projectId, cases, { ...builtin, name: 'Leave' })
      const [junit, json] = [file('out.xml'), file('out.json')]
      const run = await cairn('test', 'Leave', '--junit', junit, '--json', json, '--name', 'nightly')
      expect(run.code).toBe(1)
      expect(run.stdout).toContain(`Leave (${suiteId})`)
      expect(run.stdout).toMatch(/^passed +3 of 4$/m)
      expect(run.stdout).toMatch(/^pass rate +75 %, below 100 %$/m)
      // Texts of cases cannot send control sequences to the terminal.
      expect(run.stdout).toContain(`failed cases\n  fails [31m here (${caseIds[1]})\n    contains: `)
      expect(run.stdout).not.toContain('\u001b')
      expect(run.stdout).toMatch(/^run run_\w+ of Leave: 4 cases$/m)
      const elements = elementsOf(await readFile(junit, 'utf8'))
      expect(elements[0]?.attributes).toMatchObject({ name: 'Leave', tests: '4', failures: '1' })
      expect(elements.filter(({ name }) => name === 'testcase')).toHaveLength(4)
      const written = JSON.parse(await readFile(json, 'utf8'))
      expect(written).toMatchObject({ name: 'nightly', status: 'completed', passed: 3, total: 4 })
      expect(written.results.map(({ passed }: { passed: boolean }) => passed)).toEqual([
        true,
        false,
        true,
        true,
      ])

      expect((await cairn('test', suiteId, '--fail-under', '0.75')).code).toBe(0)
      expect((await cairn('test', suiteId, '--fail-under', '0.76')).code).toBe(1)
    })

    it('fails for a suite without cases', async () => {
      const { suiteId } = await createSuite(project, projectId, [], builtin)
      const { code, stdout } = await cairn('test', suiteId)
      expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('cairn import-cases') })
    })

    it('ends with 1 and the reason for a run without a usable target', async () => {
      const chat = { target: { type: 'model', model: 'gpt-4o' } }
      const { suiteId } = await createSuite(project, projectId, [passing], chat)
      const { code, stdout } = await cairn('test', suiteId, '--fail-under', '0')
      expect({ code, stdout }).toEqual({
        code: 1,
        stdout: expect.stringContaining('no provider is configured'),
      })
    })

    it('cancels the run on the server when it is interrupted', async () => {
      const endpoint = await Endpoint.start()
      endpoint.answer = (_, number) => (number === 1 ? { body: { output: 'Nothing' } } : 'nothing')
      const target = { target: { type: 'http', url: endpoint.url } }
      const cases = [passing, { ...passing, query: 'hangs' }]
      const { suiteId } = await createSuite(project, projectId, cases, target)
      const { child, finished } = startCommand(place, ['test', suiteId, '--concurrency', '1'])
      await vi.waitFor(() => expect(endpoint.calls).toHaveLength(2), { timeout: 20_000 })
      child.kill('SIGINT')
      const { code, stdout } = await finished
      endpoint.stop()
      expect(code).toBe(130)
      expect(stdout).toMatch(/^run +run_\w+ cancelled$/m)
      expect(stdout).toMatch(/^passed +1 of 2$/m)
      const runs = (await project.ok('GET', `/v1/${projectId}/testing/runs?suite_id=${suiteId}`)).body
      expect(runs).toMatchObject([{ status: 'cancelled', concurrency: 1 }])
      expect(endpoint.calls[1]?.aborted).toBe(true)
    })
  })

  it('cairn test waits during a restart of the server, and continues to follow the run', async () => {
    const endpoint = await Endpoint.start()
    endpoint.answer = () => 'nothing'
    const dataDir = await mkdtemp(join(tmpdir(), 'cairn-restart-'))
    const options = { dataDir, env: { ...(await env()), CAIRN_ALLOW_INSECURE_ISSUERS: 'true' } }
    const first = await startServer(options)
    const { project: own, projectId: ownId, projectKey } = await createTenant(first.url)
    const target = { target: { type: 'http', url: endpoint.url } }
    const { suiteId } = await createSuite(own, ownId, [passing], target)
    const args = ['test', suiteId, '--url', first.url, '--project', ownId]
    const { finished } = startCommand(place, args, { CAIRN_API_KEY: projectKey })
    await vi.waitFor(() => expect(endpoint.calls).toHaveLength(1), { timeout: 20_000 })
    await first.stop()
    endpoint.answer = () => ({ body: { output: 'Nothing' } })
    const again = await startServer({ ...options, env: { ...options.env, PORT: new URL(first.url).port } })
    const { code, stdout, stderr } = await finished
    // After some seconds it writes the progress of the run.
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^passed +1 of 1$/m)
    endpoint.stop()
    await again.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  describe('an error before a run', () => {
    it('is reported with a remedy and the exit code 2, without the key', async () => {
      const twins = [await createSuite(project, projectId, [], { name: 'twin' })]
      twins.push(await createSuite(project, projectId, [], { name: 'twin' }))
      const other = await createTenant(server.url)
      const page = createServer((_, response) => response.end('<html>')).listen(0)
      const pageUrl = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
      const key = { CAIRN_API_KEY: 'tk_wrong0000000000000000000000000000' }
      const attempts: [args: string[], env: Record<string, string>, says: string | RegExp][] = [
        [['test'], {}, 'usage: cairn test <suite>'],
        [['test', 'a', 'b'], {}, 'name one suite'],
        [['test', 'a', '--fail-under', '90'], {}, '--fail-under must be a number from 0 to 1'],
        [['test', 'a', '--fail-under', 'x'], {}, '--fail-under must be a number'],
        [['test', 'a', '--junit', file('none/out.xml')], {}, '--junit: '],
        [['test', 'a'], { CAIRN_API_KEY: '' }, 'set CAIRN_API_KEY'],
        [['test', 'a'], { CAIRN_API_KEY: 'tk_secret\ntk_secret' }, 'characters that no key has'],
        [['test', 'a'], key, 'rejects the key in CAIRN_API_KEY'],
        [['test', 'a'], { CAIRN_API_KEY: other.projectKey }, `in the project ${projectId}`],
        [['test', 'a'], { CAIRN_PROJECT_ID: '' }, '--project or CAIRN_PROJECT_ID'],
        [['test', 'a'], { CAIRN_URL: 'http://127.0.0.1:1' }, 'no server responds at http://127.0.0.1:1'],
        [['test', 'a', '--url', 'ftp://x'], {}, 'must be an address'],
        [['test', 'a', '--url', 'http://u:tk_secret@x'], {}, 'must not hold a password'],
        [['test', 'a', '--url', pageUrl], {}, 'is not a Cairn server'],
        [['test', 'twin'], {}, new RegExp(`2 suites have the name twin.*${twins[0]?.suiteId}`, 's')],
        [
          ['test', 'Leav'],
          {},
          /no suite Leav: its suites are\n(?: {2}ste_\w+ {2}.*\n)* {2}ste_\w+ {2}twin$/m,
        ],
        [['test', 'twin', '--version', '9.9.9'], {}, '2 suites'],
        [['test', twins[0]?.suiteId ?? '', '--version', '9.9.9'], {}, 'no version 9.9.9: it has none'],
        [['test', twins[0]?.suiteId ?? '', '--concurrency', '0'], {}, 'concurrency'],
        [['compare', '1.0.0'], {}, 'name two versions'],
        [['compare', 'no', 'nope'], {}, 'no version no'],
        [['import-cases', 'a', file('none.csv')], {}, 'there is no file'],
        [['import-cases', 'a', 'cases.txt'], {}, '--format must be'],
      ]
      for (const [args, extra, expected] of attempts) {
        const { code, stdout, stderr } = await runCommand(place, args, extra)
        expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
        expect(stderr).toMatch(expected)
        expect(stderr).not.toMatch(/tk_\w/)
        expect(stderr).not.toContain('    at ')
      }
      page.close()
    })
  })

  describe('cairn import-cases', () => {
    it('imports CSV with common column names', async () => {
      const assertions = JSON.stringify(says('27')).replaceAll('"', '""')
      const path = await write(
        'cases.csv',
        `\uFEFFQuestion;Expected Answer;category;assertions;owner\r\n"How\nmany?";27;leave;"${assertions}";Ann\r\n\r\nWho?;The head;;;\r\n`,
      )
      const { code, stdout } = await cairn('import-cases', 'From CSV', path, '--create')
      expect(code).toBe(0)
      expect(stdout).toMatch(/made the suite From CSV \(ste_\w+\)\nimported 2 cases\n/)
      expect(stdout).toContain('the column owner has no place in a case')
      const { suite_id } = await suiteNamed('From CSV')
      expect(await casesOf(suite_id)).toMatchObject([
        { query: 'How\nmany?', expected_answer: '27', category: 'leave', assertions: says('27') },
        { query: 'Who?', expected_answer: 'The head', category: null, assertions: [] },
      ])
    })

    it('imports nothing if a line is invalid, unless invalid lines are skipped; a dry run writes nothing', async () => {
      const { suiteId } = await createSuite(project, projectId, [])
      const lines = [
        JSON.stringify(passing),
        '{"query": ',
        '{"query": "q"}',
        '{"query": "q", "expected_answer": "a", "assertions": [{"type": "regex", "value": "("}]}',
        '{"query": "q", "expected_answer": "a", "assertions": [{"type": "json_schema", "value": {"type": 1}}]}',
        '{"query": "q", "expected_answer": "a", "assertions": [{"type": "min_score", "value": 1, "scorer": "no"}]}',
        '[]',
        '',
        '{"query": "last", "expected_answer": "a"}',
      ]
      const path = await write('cases.jsonl', lines.join('\n'))
      for (const extra of [[], ['--dry-run']]) {
        const { code, stderr } = await cairn('import-cases', suiteId, path, ...extra)
        expect(code).toBe(1)
        for (const said of [
          /^line 2: it is not valid JSON/m,
          /^line 3: expected_answer is required/m,
          /^line 4: assertions\[0\].value must be .*regular expression/m,
          /^line 5: assertions\[0\].value is no valid JSON schema/m,
          /^line 6: assertions\[0\].scorer must be a built-in scorer/m,
          /^line 7: the case must be an object/m,
        ]) {
          expect(stderr).toMatch(said)
        }
        expect(await casesOf(suiteId)).toEqual([])
      }
      const { code, stdout } = await cairn('import-cases', suiteId, path, '--skip-bad')
      expect({ code, stdout }).toEqual({ code: 1, stdout: 'imported 2 cases, left out 6 bad\n' })
      expect(await casesOf(suiteId)).toMatchObject([{ query: 'passes' }, { query: 'last' }])
    })

    it('deletes the created suite if the server rejects a case', async () => {
      const { suiteId } = await createSuite(project, projectId, [passing])
      const gone = '{"trace_id": "trc_00000000000000000000"}'
      const path = await write('traces.jsonl', `${JSON.stringify(passing)}\n${gone}\n`)
      const { code, stdout, stderr } = await cairn('import-cases', suiteId, path)
      expect(code).toBe(1)
      expect(stdout).toContain('nothing was imported')
      expect(stderr).toContain('line 2: ')
      expect(await casesOf(suiteId)).toHaveLength(1)
    })

    it('imports the tests of a promptfoo config, runs them, and reports what it skipped', async () => {
      const path = await write(
        'promptfooconfig.yaml',
        `prompts: ['Answer {{question}}', 'Shout {{question}}']
providers: [openai:gpt-5-mini]
defaultTest: { assert: [{ type: latency, threshold: 60000 }] }
tests:
  - vars: { question: one }
    assert: [{ type: icontains, value: NOTHING }, { type: llm-rubric, value: is polite }]
  - vars: { question: two }
    assert: [{ type: is-json, value: { type: object } }]
`,
      )
      const args = ['import-cases', 'From promptfoo', path, '--create'] as const
      const dry = await cairn(...args, '--dry-run')
      expect(dry.code).toBe(0)
      expect(dry.stdout).toContain('test 1: Answer one\n  max_latency_ms: 60000\n  icontains: "NOTHING"\n')
      expect(dry.stdout).toContain('would import 2 cases, 0 bad')
      expect(await suiteNamed('From promptfoo')).toBeUndefined()
      const { code, stdout } = await cairn(...args)
      expect(code).toBe(0)
      expect(stdout).toContain('imported 2 cases\nleft out (3):\n')
      expect(stdout).toContain('only the first of 2 prompts is used')
      expect(stdout).toContain('test 1: llm-rubric is left out')
      const run = await cairn('test', 'From promptfoo', '--fail-under', '0.5')
      expect(run.code).toBe(0)
      expect(run.stdout).toMatch(/Answer two \(tsc_\w+\)\n {4}json_schema: /)
    })

    it('names a file with an invalid format', async () => {
      for (const [name, text, expected] of [
        ['empty.csv', '', 'it is empty'],
        ['columns.csv', 'a,b\n1,2\n', 'no column is named query'],
        ['twice.csv', 'query,question\n1,2\n', 'both name the query'],
        ['quotes.csv', 'query\n"open\n', 'it is not valid CSV'],
        ['text.yaml', 'just text', 'it is not a promptfoo config'],
        ['broken.yaml', 'a: [', 'is not valid YAML'],
        ['tests.yaml', 'tests: []', 'it has no prompts'],
      ] as const) {
        const { code, stderr } = await cairn('import-cases', 'x', await write(name, text), '--create')
        expect({ name, code, stderr }).toEqual({ name, code: 2, stderr: expect.stringContaining(expected) })
      }
      expect(await suiteNamed('x')).toBeUndefined()
    })
  })

  it('cairn compare shows two versions side by side, and which cases changed', async () => {
    const other = await createTenant(server.url)
    const endpoint = await Endpoint.start()
    const improves = new Set(['1.1.0 improves', '1.0.0 regresses', '1.0.0 same', '1.1.0 same'])
    endpoint.answer = ({ body }) => ({
      body: { output: improves.has(`${body.version} ${body.query}`) ? 'yes' : 'no', cost: 0.25 },
    })
    const cases = ['improves', 'regresses', 'same'].map((query) => ({
      query,
      expected_answer: '',
      assertions: says('yes'),
    }))
    const target = { name: 'Both', target: { type: 'http', url: endpoint.url } }
    const { suiteId, caseIds } = await createSuite(other.project, other.projectId, cases, target)
    const { suiteId: lonely } = await createSuite(other.project, other.projectId, [], { name: 'Lonely' })
    const versions = `/v1/${other.projectId}/versions`
    await other.project.ok('POST', versions, { version: '1.0.0' })
    const second = (await other.project.ok('POST', versions, { version: '1.1.0' })).body.version_id
    const extra = { CAIRN_API_KEY: other.projectKey, CAIRN_PROJECT_ID: other.projectId }
    const run = (...args: string[]) => runCommand(place, args, extra)
    expect((await run('test', 'Both', '--version', '1.0.0', '--fail-under', '0.6')).code).toBe(0)
    const before = await run('compare', '1.0.0', second)
    expect(before.stdout).toContain(`to get one: cairn test ${suiteId} --version 1.1.0`)
    expect((await run('test', 'Both', '--version', second, '--fail-under', '0.6')).code).toBe(0)
    const { code, stdout } = await run('compare', '1.0.0', second)
    endpoint.stop()
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ +1\.0\.0 +1\.1\.0 +change$/m)
    expect(stdout).toMatch(/^traces +3 +3$/m)
    expect(stdout).toMatch(/^cost +0\.250000 USD +0\.250000 USD +0 %$/m)
    expect(stdout).toMatch(/^error rate +0 % +0 % +0 %$/m)
    expect(stdout).toMatch(/^ {2}pass rate +66\.67 % \(2 of 3\) +66\.67 % \(2 of 3\)$/m)
    expect(stdout).toContain(`  improved: 1\n    improves (${caseIds[0]})\n`)
    expect(stdout).toContain(`  regressed: 1\n    regresses (${caseIds[1]})\n`)
    expect((await run('compare', '1.0.0', '1.1.0', '--suite', 'Both')).stdout).toBe(stdout)
    const alone = (await run('compare', '1.0.0', '1.1.0', '--suite', 'Lonely')).stdout
    expect(alone).toContain(`cairn test ${lonely} --version 1.0.0`)
    expect(alone).not.toContain(suiteId)
  })
})
