import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('../../server/bin/cairn.mjs', import.meta.url))

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

export interface Running {
  child: ChildProcess
  finished: Promise<Finished>
}

/** A data folder and the environment variables of a database, for commands and servers. */
export interface Place {
  dataDir: string
  env: Record<string, string>
  remove(): Promise<void>
}

export async function createPlace(env: Record<string, string>): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cairn-command-'))
  return { dataDir, env, remove: () => rm(dataDir, { recursive: true, force: true }) }
}

/** Starts `cairn …` as a child process. Standard input is a pipe. */
export function startCommand(place: Place, args: string[], env: Record<string, string> = {}): Running {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(process.execPath, [entry, ...args], {
    env: { PATH, HOME, TMPDIR, CAIRN_DATA_DIR: place.dataDir, ...place.env, ...env },
    stdio: 'pipe',
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (part) => (stdout += part))
  child.stderr.on('data', (part) => (stderr += part))
  const finished = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }))
  return { child, finished }
}

export function runCommand(place: Place, args: string[], env?: Record<string, string>): Promise<Finished> {
  const { child, finished } = startCommand(place, args, env)
  child.stdin?.end()
  return finished
}

/** Creates a project with a key by a command. */
export async function createProject(place: Place): Promise<{ projectId: string; key: string }> {
  const { stdout, stderr } = await runCommand(place, ['keys', 'create', 'a project'])
  const [, projectId, key] = /^project_id (\S+)\napi_key +(\S+)$/m.exec(stdout) ?? []
  if (!projectId || !key) throw new Error(`no project was created: ${stdout}${stderr}`)
  return { projectId, key }
}
