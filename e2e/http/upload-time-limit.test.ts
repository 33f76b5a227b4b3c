import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'

/** A file that takes many seconds to read. */
const slow = `a: {${'b: 1, c: [1], '.repeat(350_000)}}`

/** Processor time of a process so far, in hundredths of a second. */
function cpuTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

describe.each(oneDatabase)('the time limit of an upload, on $database', ({ env }) => {
  let server: Server
  let tenant: Tenant

  beforeAll(async () => {
    // With memory to spare, so that the time limit comes before the memory limit on a machine of any speed.
    const limits = { CAIRN_PROCESSING_SECONDS: '1', CAIRN_EXTRACTION_BYTES: String(4 * 1024 ** 3) }
    server = await startServer({ env: { ...(await env()), ...limits } })
    tenant = await createTenant(server.url)
  })
  afterAll(() => server?.stop())

  const upload = (name: string, text: string) =>
    tenant.chat.post(`/v1/${tenant.chatId}/upload_with_scopes`, uploadForm(name, text))

  it('ends the extraction, stores nothing, and the next file is read', async () => {
    const from = performance.now()
    expectRefusal(await upload('slow.yaml', slow), { status: 408, project: false, names: 'time limit' })
    expect(performance.now() - from).toBeLessThan(4000)
    expect((await tenant.chat.ok('GET', `/v1/${tenant.chatId}/files`)).body.total_files).toBe(0)
    const before = cpuTime(server.pid)
    await pause(500)
    expect(cpuTime(server.pid) - before).toBeLessThan(25)
    expect((await upload('quick.txt', 'The lamp is blue.')).status).toBe(200)
  })
})
