import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { load } from 'js-yaml'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { sharedServer } from '../support/databases.ts'
import { traceOf, until } from '../support/otlp.ts'
import { StubProvider } from '../support/provider.ts'
import { hasUv, npmPackages, withPythonPackages } from '../support/registries.ts'
import { codeBlocks, shellBlock } from './readme.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ownAddress = 'http://127.0.0.1:8000'
const server = sharedServer('SQLite')
const hasPython = await hasUv('the guides in Python')

/** The settings of Cairn's client, in whose page the key and the project are placeholders. */
const ownClient = `\`\`\`bash
export CAIRN_BASE_URL=${ownAddress} CAIRN_API_KEY=$PROJECT_KEY CAIRN_PROJECT_ID=$PROJECT
\`\`\`
`

const guide = (name: string) => readFileSync(join(root, 'docs/guides/connect', `${name}.md`), 'utf8')

const kindsOf = ({ spans }: { spans: { kind: string }[] }) => spans.map(({ kind }) => kind).toSorted()

/** Packages of the block that begins with the command, such as `pip install`. */
function packagesOf(text: string, command: string): string[] {
  return shellBlock(text, command)
    .slice(command.length)
    .split(/[\s\\]+/)
    .filter((word) => word !== '')
}

interface CollectorConfiguration {
  receivers: object
  processors: object
  exporters: Record<string, { endpoint: string; headers: Record<string, string> }>
  service: { pipelines: { traces: Record<'receivers' | 'processors' | 'exporters', string[]> } }
}

describe('the code of the guides to connect an application', () => {
  let provider: StubProvider
  let tenant: Tenant
  let folder: string

  beforeAll(async () => {
    provider = await StubProvider.start()
    provider.script = () => ({ pieces: ['A pile ', 'of stones.'], tokens: { prompt: 12, completion: 4 } })
    folder = await mkdtemp(join(tmpdir(), 'cairn-connect-'))
  })
  afterAll(async () => {
    provider?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    tenant = await createTenant(server.url)
  })

  /** The environment of a reader: a key, a project, and a provider of models. */
  function environment(): Record<string, string | undefined> {
    const { PATH, HOME } = process.env
    const own = { PROJECT: tenant.projectId, PROJECT_KEY: tenant.projectKey }
    // LlamaIndex reads a variable of its own.
    return { PATH, HOME, ...own, ...provider.env('openai'), OPENAI_API_BASE: `${provider.url}/openai/v1` }
  }

  const here = (code: string) => code.replaceAll(ownAddress, server.url)

  /** A shell command that sets the variables of the page, then runs the words after it. */
  function afterExports(text: string): [string, ...string[]] {
    return [
      'bash',
      '--norc',
      '-euo',
      'pipefail',
      '-c',
      `${here(shellBlock(text, 'export'))}\nexec "$@"`,
      'bash',
    ]
  }

  async function shell(commands: string): Promise<string> {
    const args = ['--norc', '-euo', 'pipefail', '-c', here(commands)]
    const { stdout, stderr } = await promisify(execFile)('bash', args, { env: environment() })
    expect(stderr).toBe('')
    return stdout
  }

  async function typescript(text: string, script: string | undefined, cwd = root): Promise<string> {
    const node = [process.execPath, '--input-type=module-typescript', '--eval', here(script ?? '')]
    const [bash, ...args] = [...afterExports(text), ...node]
    const { stdout, stderr } = await promisify(execFile)(bash ?? '', args, { cwd, env: environment() })
    expect(stderr).toBe('')
    return stdout
  }

  /** The output of the page's program in Python; undefined if PyPI cannot be reached. */
  async function python(text: string, command: readonly string[] = ['python', 'app.py']) {
    const [script = ''] = codeBlocks(text, 'python')
    await writeFile(join(folder, 'app.py'), here(script))
    const options = { cwd: folder, env: environment() }
    const [first, ...rest] = afterExports(text)
    return withPythonPackages(packagesOf(text, 'pip install'), [first, ...rest, ...command], options)
  }

  /** The newest trace of the project, once it has so many spans. */
  async function newest(spans: number) {
    const list = `/v1/${tenant.projectId}/analytics/traces?limit=1`
    const [found] = await until(async () => {
      const { body } = await tenant.project.get(list)
      return body.length > 0 && body
    }, 'a trace')
    return traceOf(tenant, found.trace_id, spans)
  }

  const answer = 'A pile of stones.'
  const usage = { prompt_tokens: 12, completion_tokens: 4 }
  const asked = { input: 'What is a cairn?', output: answer, status: 'success', token_usage: usage }
  const byUser = { session_id: 'chat-3', user_id: 'user-7' }

  it('are in pages that the list of pages links to', () => {
    const linked = [...guide('README').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name = '']) => name)
    const pages = readdirSync(join(root, 'docs/guides/connect')).filter((name) => name !== 'README.md')
    expect([...new Set(linked)].toSorted()).toEqual(pages.toSorted())
  })

  it('TypeScript: functions become a trace', async () => {
    const [script] = codeBlocks(guide('typescript'), 'ts')
    expect(await typescript(ownClient, script)).toBe('I found: A passage that answers: What is a cairn?\n')
    expect(await newest(2)).toMatchObject({
      name: 'answer',
      input: 'What is a cairn?',
      tags: ['beta'],
      ...byUser,
    })
  })

  it('OpenAI, TypeScript with the client of Cairn', async () => {
    const [script] = codeBlocks(guide('openai'), 'ts')
    expect(await typescript(ownClient, script)).toBe(answer)
    expect(await newest(1)).toMatchObject({
      name: 'chat.completions.create',
      output: answer,
      token_usage: usage,
    })
  })

  it('OpenAI, TypeScript with OpenInference', async () => {
    const text = guide('openai')
    expect(await typescript(text, codeBlocks(text, 'ts')[1])).toBe(`${answer}\n`)
    const trace = await newest(1)
    expect(trace).toMatchObject({ name: 'OpenAI Chat Completions', ...asked })
    expect(trace.spans).toMatchObject([{ kind: 'llm', output: [{ role: 'assistant', content: answer }] }])
  })

  it('AI SDK, version 7', async () => {
    const text = guide('ai-sdk')
    expect(await typescript(text, codeBlocks(text, 'ts')[0])).toBe(`${answer}\n`)
    const trace = await newest(3)
    expect(trace).toMatchObject({ name: 'invoke_agent gpt-4o-mini', ...asked, ...byUser })
    expect(kindsOf(trace)).toEqual(['agent', 'agent', 'llm'])
  })

  it('AI SDK, version 6', async ({ skip }) => {
    const text = guide('ai-sdk')
    const cwd = await npmPackages(['ai@6', ...packagesOf(text, 'npm install ai@6')])
    if (!cwd) return skip()
    expect(await typescript(text, codeBlocks(text, 'ts')[1], cwd)).toBe(`${answer}\n`)
    const trace = await newest(2)
    expect(trace).toMatchObject({ ...asked, ...byUser, tags: ['beta'], metadata: { plan: 'pro' } })
  })

  it('LangChain, TypeScript', async ({ skip }) => {
    const text = guide('langchain')
    const cwd = await npmPackages(packagesOf(text, 'npm install'))
    if (!cwd) return skip()
    expect(await typescript(text, codeBlocks(text, 'ts')[0], cwd)).toBe(`${answer}\n`)
    const trace = await newest(3)
    expect(trace).toMatchObject({ name: 'RunnableSequence', ...asked, session_id: 'chat-3' })
    expect(kindsOf(trace)).toEqual(['chain', 'chain', 'llm'])
  })

  it('Langfuse, TypeScript: three variables are enough', async ({ skip }) => {
    const text = guide('langfuse')
    const cwd = await npmPackages(packagesOf(text, 'npm install'))
    if (!cwd) return skip()
    expect(await typescript(text, codeBlocks(text, 'ts')[0], cwd)).toBe('')
    const trace = await newest(2)
    expect(trace).toMatchObject({ name: 'answer', ...asked, ...byUser, tags: ['beta'] })
    expect(trace.spans).toMatchObject([
      { name: 'answer' },
      { name: 'explain', kind: 'llm', token_usage: usage },
    ])
  })

  // Mastra has 320 MB of dependencies, so its spans come from a recording, to the address of the page.
  it('Mastra: its spans, to the address and with the header of the page', async () => {
    const [script = ''] = codeBlocks(guide('mastra'), 'ts')
    const [, endpoint = ''] = /endpoint: '(.*)'/.exec(script) ?? []
    expect(script).toContain("headers: { 'x-api-key': process.env.PROJECT_KEY ?? '' }")
    const body = readFileSync(new URL('fixtures/otlp/mastra.json', import.meta.url))
    const headers = { 'x-api-key': tenant.projectKey, 'content-type': 'application/json' }
    const response = await fetch(here(endpoint), { method: 'POST', headers, body })
    expect([response.status, await response.text()]).toEqual([200, '{}'])
    expect(await newest(10)).toMatchObject({ status: 'success' })
  })

  it('OpenTelemetry, TypeScript, and a score by curl for the id that the application knows', async () => {
    const text = guide('opentelemetry')
    const traceId = (await typescript(text, codeBlocks(text, 'ts')[0])).trim()
    const { spans } = await traceOf(tenant, traceId, 2)
    expect(spans).toMatchObject([
      { name: 'answer a question' },
      { name: 'explain', parent_id: spans[0].span_id },
    ])
    expect(await shell(`TRACE=${traceId}\n${shellBlock(text, 'curl')}`)).toBe('{"success":true}')
    expect((await traceOf(tenant, traceId, 2)).scores).toMatchObject([{ name: 'helpful', value: 1 }])
  })

  it('OpenTelemetry, the configuration of the collector: its exporter is accepted', async () => {
    const [text = ''] = codeBlocks(guide('opentelemetry'), 'yaml')
    const own = here(text).replace(`\${env:PROJECT_KEY}`, tenant.projectKey)
    const { service, ...parts } = load(own) as CollectorConfiguration
    for (const part of ['receivers', 'processors', 'exporters'] as const) {
      expect(service.pipelines.traces[part]).toEqual(Object.keys(parts[part]))
    }
    const { endpoint, headers } = Object.values(parts.exporters)[0] ?? {}
    // The collector adds the path of the signal to the endpoint, and compresses.
    const exporter = new OTLPTraceExporter({
      url: `${endpoint}/v1/traces`,
      headers: headers ?? {},
      compression: 'gzip' as never,
    })
    const traced = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] })
    const span = traced.getTracer('tests').startSpan('through a collector')
    span.end()
    await traced.shutdown()
    expect(await traceOf(tenant, span.spanContext().traceId)).toMatchObject({ name: 'through a collector' })
  })

  it('plain HTTP: a trace, spans of OpenTelemetry, a score', async () => {
    const output = await shell(codeBlocks(guide('http'), 'bash').join('\n'))
    const [trace_id = '', ...responses] = output.trim().split('\n')
    expect(responses).toEqual(['{}', '{"success":true}'])
    expect(await traceOf(tenant, trace_id, 2)).toMatchObject({
      name: 'answer',
      ...byUser,
      token_usage: usage,
    })
    const list = `/v1/${tenant.projectId}/analytics/traces`
    const sent = await until(async () => {
      const { body } = await tenant.project.get(list)
      return body.find((each: { trace_id: string }) => each.trace_id !== trace_id)
    }, 'the trace of the spans')
    expect(sent).toMatchObject({ ...asked, model: 'gpt-4o-mini', latency_ms: 812 })
  })

  describe.skipIf(!hasPython)('in Python', () => {
    it('OpenTelemetry', async ({ skip }) => {
      const text = guide('opentelemetry')
      const command = shellBlock(text, 'opentelemetry-instrument').trim().split(' ')
      const output = await python(text, command)
      if (output === undefined) return skip()
      expect(await traceOf(tenant, output.trim())).toMatchObject({
        name: 'answer a question',
        model: 'gpt-4o-mini',
      })
    })

    it('OpenAI', async ({ skip }) => {
      const output = await python(guide('openai'))
      if (output === undefined) return skip()
      expect(output).toBe(`${answer}\n`)
      expect(await newest(1)).toMatchObject({ ...asked, ...byUser, spans: [{ kind: 'llm' }] })
    })

    it('LangChain', async ({ skip }) => {
      const output = await python(guide('langchain'))
      if (output === undefined) return skip()
      expect(output).toBe(`${answer}\n`)
      const trace = await newest(3)
      expect(trace).toMatchObject({ name: 'RunnableSequence', ...asked, ...byUser })
      expect(kindsOf(trace)).toEqual(['chain', 'chain', 'llm'])
    })

    it('LlamaIndex', async ({ skip }) => {
      const output = await python(guide('llamaindex'))
      if (output === undefined) return skip()
      expect(output).toBe(`${answer}\n`)
      const trace = await newest(14)
      expect(trace).toMatchObject({ name: 'RetrieverQueryEngine.query', ...asked, ...byUser })
      expect(new Set(kindsOf(trace))).toEqual(new Set(['chain', 'retrieval', 'embedding', 'llm']))
    })

    it('Langfuse', async ({ skip }) => {
      const output = await python(guide('langfuse'))
      if (output === undefined) return skip()
      expect(output).toBe(`${answer}\n`)
      const trace = await newest(2)
      expect(trace).toMatchObject({
        name: 'answer',
        output: answer,
        token_usage: usage,
        ...byUser,
        tags: ['beta'],
      })
      expect(trace.spans).toMatchObject([{ name: 'answer' }, { kind: 'llm', model: 'stub' }])
    })
  })
})
