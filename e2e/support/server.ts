import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export const adminToken = 'admin-token-for-the-black-box-suite'

const ownEntry = fileURLToPath(new URL('../../server/bin/cairn.mjs', import.meta.url))

export interface ServerOptions {
  /** Added to the environment; a value of undefined removes the variable. */
  env?: Record<string, string | undefined>
  /** An existing data folder, which is kept when the server stops. */
  dataDir?: string
  /** A prefix of the command, such as strace and its options. */
  wrapper?: string[]
  /** The command of another installation. */
  entry?: string
}

export interface Server {
  url: string
  dataDir: string
  pid: number
  /** The started process: the server, or its supervisor or wrapper if there is one. */
  rootPid: number
  /** The output of the process so far, both streams. */
  output(): string
  /** Sends SIGTERM and returns the exit code. Deletes the data folder unless it was given. */
  stop(): Promise<number | null>
  /** Sends SIGKILL; the data folder stays. */
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit code once the process has ended. */
  exited: Promise<number | null>
}

type Child = ChildProcessByStdio<null, Readable, Readable>

/** A larger young generation spares a tenth of the processor time of each start. */
const nodeFlags = ['--min-semi-space-size=16']

/** The environment of a server, without Cairn variables of the machine. */
function environment(dataDir: string, extra: ServerOptions['env']): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  const env = {
    PATH,
    HOME,
    TMPDIR,
    HOST: '127.0.0.1',
    PORT: '0',
    CAIRN_DATA_DIR: dataDir,
    CAIRN_ADMIN_TOKEN: adminToken,
    CAIRN_REQUESTS_PER_SECOND: '0',
    // Each server runs without its supervisor; supervisor.test.ts tests the supervisor.
    CAIRN_SUPERVISOR: 'off',
    // Tests of killed servers wait for the end of this lease.
    CAIRN_JOB_LEASE_SECONDS: '5',
    ...extra,
  }
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
}

async function untilListening(child: Child, output: () => string): Promise<string> {
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the server ended with ${code} before it listened:\n${output()}`)
  })
  const listening = (async () => {
    for await (const line of lines) {
      if (!line.includes('"listening"')) continue
      return (JSON.parse(line) as { url: string }).url
    }
    throw new Error(`the server printed no address:\n${output()}`)
  })()
  ended.catch(() => {})
  return Promise.race([listening, ended])
}

function launch(dataDir: string, options: ServerOptions): Child {
  const { wrapper = [], entry = ownEntry } = options
  const [command = '', ...args] = [...wrapper, process.execPath, ...nodeFlags, entry, 'serve']
  return spawn(command, args, { env: environment(dataDir, options.env), stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Starts the server and sends SIGKILL after a while, even if it does not listen yet. */
export async function killStartingServer(
  options: ServerOptions & { dataDir: string },
  afterMs: number,
): Promise<void> {
  const child = launch(options.dataDir, options)
  const ended = once(child, 'exit')
  setTimeout(() => child.kill('SIGKILL'), afterMs)
  await ended
}

/** Starts the server as a child process on a free port, and waits until it listens. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'cairn-e2e-')))
  const child = launch(dataDir, options)
  let output = ''
  child.stdout.on('data', (part) => (output += part))
  child.stderr.on('data', (part) => (output += part))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const url = await untilListening(child, () => output)
  /** A supervised server has another pid after each restart. */
  const pid = () => Number([...output.matchAll(/"pid":(\d+)/g)].at(-1)?.[1] ?? child.pid)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    url,
    dataDir,
    pid: pid(),
    rootPid: child.pid ?? 0,
    output: () => output,
    exited,
    signal: (name) => void process.kill(pid(), name),
    stop: async () => {
      if (!hasEnded()) process.kill(pid(), 'SIGTERM')
      const code = await exited
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true })
      return code
    },
    kill: async () => {
      if (!hasEnded()) process.kill(pid(), 'SIGKILL')
      await exited
    },
  }
}

/** The lines of the server's log so far. */
export function logLines(server: Pick<Server, 'output'>): Record<string, unknown>[] {
  const lines = server.output().split('\n')
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
}
