import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sampleText, sampleTrace } from '../support/samples.ts'
import { type Server, startServer } from '../support/server.ts'

const strace = '/usr/bin/strace'
const works = existsSync(strace) && spawnSync(strace, ['-o', '/dev/null', 'true']).status === 0
if (!works)
  console.warn(
    'skipped: fsync cannot be counted, since strace is missing or may not trace (apt install strace)',
  )

/**
 * A test with SIGKILL cannot detect a missing fsync, because the kernel still writes the data of a killed process. So the calls
 * of fsync are counted.
 */
describe.skipIf(!works)('the embedded database', () => {
  let folder: string
  let server: Server
  let tenant: Tenant
  let log: string

  /** The number of fsync calls so far. */
  function syncs(): number {
    return readFileSync(log, 'utf8').match(/\b(fsync|fdatasync)\(/g)?.length ?? 0
  }

  /** The number of fsync calls before the response of each sequential request. */
  async function syncsOfEach(requests: number, send: (index: number) => Promise<unknown>): Promise<number[]> {
    const counts = [syncs()]
    for (let index = 0; index < requests; index++) {
      await send(index)
      counts.push(syncs())
    }
    return counts.slice(1).map((count, index) => count - (counts[index] ?? 0))
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-fsync-'))
    log = join(folder, 'strace.log')
    server = await startServer({ wrapper: [strace, '-f', '-e', 'trace=fsync,fdatasync', '-o', log] })
    tenant = await createTenant(server.url)
  })
  afterAll(async () => {
    expect(await server?.stop()).toBe(0)
    await rm(folder, { recursive: true, force: true })
  })

  it('syncs to disk before the response to each of fifty traces', async () => {
    const { project, projectId } = tenant
    const each = await syncsOfEach(50, (index) =>
      project.ok('POST', `/v1/${projectId}/traces`, sampleTrace(index)),
    )
    expect(each.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(50)
    expect(Math.min(...each)).toBeGreaterThanOrEqual(1)
  })

  it('syncs to disk before the response to each of five uploads', async () => {
    const { chat, chatId } = tenant
    const each = await syncsOfEach(5, (index) =>
      chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, uploadForm(`${index}.md`, sampleText(index))),
    )
    expect(Math.min(...each)).toBeGreaterThanOrEqual(1)
  })

  it('does not sync for a read request', async () => {
    const { project, projectId } = tenant
    const each = await syncsOfEach(5, () => project.ok('GET', `/v1/${projectId}/analytics/traces`))
    expect(each).toEqual([0, 0, 0, 0, 0])
  })
})
