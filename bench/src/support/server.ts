import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const adminToken = 'admin-token-of-the-benchmarks'
const launcher = fileURLToPath(new URL('../../../scripts/cairn.mjs', import.meta.url))

/** The command of the production server, or of another build to compare with. */
export const productionServer = [
  process.env.CAIRN_BENCH_SERVER ?? fileURLToPath(new URL('../../../server/bin/cairn.mjs', import.meta.url)),
  'serve',
]
/** The application with an additional no-op route. */
export const serverWithNoop = [fileURLToPath(new URL('../server-with-noop.ts', import.meta.url))]

/** Builds the server if its sources are newer, so that a measured start does not include a build. */
export function buildServer(): void {
  execFileSync(process.execPath, [launcher, 'help'], { stdio: 'pipe' })
}

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export interface ServerOptions {
  command: string[]
  dataDir: string
  /** Options of Node itself, such as --cpu-prof. */
  nodeOptions?: string[]
  /** Additional environment variables. */
  env?: Record<string, string>
  /** Runs the server under its supervisor, like `npm start`. */
  supervised?: boolean
}

export interface BenchServer {
  url: string
  pid: number
  /** The log file. */
  log: string
  /** The started process: the supervisor if there is one, otherwise the server. */
  rootPid: number
  stop(): Promise<void>
}

/** Writes the log to a file, because reading a pipe would add work to the benchmark's process. */
function launch({ command, dataDir, nodeOptions = [], env, supervised = false }: ServerOptions): {
  child: ChildProcess
  log: string
} {
  const log = join(dataDir, `server-${process.hrtime.bigint()}.log`)
  const output = openSync(log, 'w')
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [...nodeOptions, ...command], {
    env: {
      PATH,
      HOME,
      PORT: '0',
      CAIRN_DATA_DIR: dataDir,
      CAIRN_ADMIN_TOKEN: adminToken,
      CAIRN_REQUESTS_PER_SECOND: '0',
      CAIRN_SUPERVISOR: supervised ? 'on' : 'off',
      ...env,
    },
    stdio: ['ignore', output, output],
  })
  return { child, log }
}

export async function startServer(options: ServerOptions): Promise<BenchServer> {
  const { child, log } = launch(options)
  for (;;) {
    const line = readFileSync(log, 'utf8')
      .split('\n')
      .find((text) => text.includes('"msg":"listening"') && text.endsWith('}'))
    if (child.exitCode !== null) throw new Error(`the server did not start:\n${readFileSync(log, 'utf8')}`)
    if (!line) {
      await pause(2)
      continue
    }
    const { url, pid = child.pid } = JSON.parse(line) as { url: string; pid?: number }
    const stop = async () => {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    return { url, pid: pid ?? 0, rootPid: child.pid ?? 0, log, stop }
  }
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Record<string, string>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Record<string, string>
}

export interface Tenant {
  projectId: string
  chatId: string
  projectKey: string
  chatKey: string
}

function admin(url: string, path: string, body: unknown): Promise<Record<string, string>> {
  return post(`${url}/v1/console/${path}`, { 'x-admin-token': adminToken }, body)
}

/** Creates a key of a project with every permission, including deletion. */
export async function createAdminKey(url: string, projectId: string): Promise<string> {
  const permissions = ['ingest', 'read', 'write', 'admin']
  const { api_key: key = '' } = await admin(url, `projects/${projectId}/keys`, { permissions })
  return key
}

/** Creates a project and a published chat, with a key for each. */
export async function createTenant(url: string): Promise<Tenant> {
  const { project_id: projectId = '' } = await admin(url, 'projects', { name: 'bench' })
  const { api_key: projectKey = '' } = await admin(url, `projects/${projectId}/keys`, {})
  const { chat_id: chatId = '' } = await admin(url, `projects/${projectId}/chats`, {
    title: 'bench',
    publish: true,
  })
  const { api_key: chatKey = '' } = await admin(url, `chats/${chatId}/keys`, {})
  return { projectId, chatId, projectKey, chatKey }
}

/** Megabytes of a process: resident, and proportional (shared memory divided among its users). */
export function memoryOf(pid: number): { rss: number; pss: number | undefined } {
  const megabytes = (file: string, field: string) => {
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8'))?.[1]
    return Math.round(Number(kilobytes) / 102.4) / 10
  }
  const rollup = `/proc/${pid}/smaps_rollup`
  return {
    rss: megabytes(`/proc/${pid}/status`, 'VmRSS'),
    pss: existsSync(rollup) ? megabytes(rollup, 'Pss') : undefined,
  }
}
