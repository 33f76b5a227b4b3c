import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

const path = '/usr/bin/redis-server'

/** Whether this machine has Redis; otherwise tests that need it are skipped with a message. */
export const hasRedis = existsSync(path)
if (!hasRedis) console.warn(`skipped: no Redis on this machine (apt-get install redis-server)`)

export interface RedisServer {
  url: string
  stop(): Promise<void>
}

/** Like PostgreSQL in these tests, it does not run as root. */
const nobody = { uid: 65_534, gid: 65_534 }
const identity = process.getuid?.() === 0 ? nobody : {}

/** A Redis server on a free loopback port, without persistence. */
export async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-redis-'))
  if (identity === nobody) await chown(folder, nobody.uid, nobody.gid)
  const port = await freePort()
  const flags = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', requirepass: 'secret' }
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = spawn(path, args, { ...identity, cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(server, 'exit')
  await new Promise<void>((resolve, reject) => {
    let log = ''
    server.stdout.on('data', (part) => {
      log += part
      if (log.includes('Ready to accept connections')) resolve()
    })
    ended.then(() => reject(new Error(`Redis ended: ${log}`)))
  })
  return {
    url: `redis://:secret@127.0.0.1:${port}/2`,
    stop: async () => {
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
