import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@cairn/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { type Server, startServer } from '../support/server.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** An application in strict TypeScript that uses the package. */
const application = `
import { CairnApiError, createClient, tracing, type Trace, webhooks } from '@cairn/sdk'
const client = createClient({ baseUrl: 'http://127.0.0.1:8000', apiKey: 'tk_a_b', projectId: 'proj_1' })
const project = client.project()
export async function first(): Promise<Trace | undefined> {
  for await (const { trace_id } of project.traces.list({ tag: ['a'], 'attr.plan': 'pro' })) return project.traces.get(trace_id)
  return undefined
}
const traced = tracing(client)
export const count: number = traced.span('count', () => 1)
export const text: Promise<string> = traced.trace('ask', async (span) => span.set({ model: 'm' }) && 'text')
export const status = (error: unknown): number | undefined => (error instanceof CairnApiError ? error.status : undefined)
// @ts-expect-error a trace needs its input
export const wrong = () => project.traces.create({ output: 'b' })
export const verified = (body: string) => webhooks.verify({ body, headers: {}, secret: 'whsec_' })
`

/** Records a trace, and ends without waiting for anything. */
const script = `
import { createClient, tracing } from '@cairn/sdk'
const traced = tracing(createClient())
traced.trace('short', async (root) => {
  root.set({ input: process.version })
  await new Promise((resolve) => setTimeout(resolve, 1))
  return traced.span('step', () => 'done')
})
`

describe('the packed client, installed in an empty folder', () => {
  let folder: string
  let server: Server
  let tenant: Tenant

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-sdk-'))
    const [{ stdout }] = await Promise.all([
      run('npm', ['run', '--silent', 'pack'], { cwd: root }),
      startServer().then(async (started) => {
        server = started
        tenant = await createTenant(server.url)
      }),
    ])
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    const tarball = join(root, stdout.trim().split('\n').at(-1) ?? '')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
  })
  afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('has no dependencies', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@cairn',
    ])
    expect(existsSync(join(folder, 'node_modules/@cairn/sdk/node_modules'))).toBe(false)
  })

  it('has types for a strict application', async () => {
    const source = join(folder, 'strict')
    mkdirSync(source)
    writeFileSync(join(source, 'index.ts'), application)
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
    }
    writeFileSync(join(source, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['index.ts'] }))
    const checked = await run('tsc', ['-p', source, '--listFiles'])
    expect(checked.stdout).toContain('@cairn/sdk/types/contract.d.ts')
  })

  // The runtime of the server, and another Node of the machine, if there is one.
  const nodes = [process.execPath, '/usr/bin/node', '/usr/local/bin/node'].filter((path) => existsSync(path))
  it.each(nodes)('sends the traces of an application before it ends, with %s', async (node) => {
    const file = join(folder, 'script.mjs')
    writeFileSync(file, script)
    const env = {
      CAIRN_BASE_URL: server.url,
      CAIRN_API_KEY: tenant.projectKey,
      CAIRN_PROJECT_ID: tenant.projectId,
    }
    const { stdout } = await run(node, ['--version'])
    expect(await run(node, [file], { env })).toEqual({ stdout: '', stderr: '' })
    const { traces } = createClient({ baseUrl: server.url, apiKey: tenant.projectKey }).project(
      tenant.projectId,
    )
    const { traces: newest } = await traces.page({ limit: 1 })
    expect(newest).toMatchObject([{ name: 'short', input: stdout.trim(), output: 'done' }])
  })
})
