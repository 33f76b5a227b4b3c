import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { oneDatabase } from '../support/databases.ts'
import type { HostileFile } from '../support/hostile/file.ts'
import { mutatedFiles } from '../support/hostile/mutated-files.ts'
import { pdfFiles } from '../support/hostile/pdf-files.ts'
import { textFiles } from '../support/hostile/text-files.ts'
import { wordFiles } from '../support/hostile/word-files.ts'
import { childrenOf, isRunning, watchMemory } from '../support/processes.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Server, startServer } from '../support/server.ts'

const megabyte = 1024 * 1024
/** The server replaces a process that keeps half of this. With less, most files would need a process of their own. */
const memoryLimit = 256 * megabyte
/** Between two checks of its memory, a process may grow beyond the limit. */
const overrun = 128 * megabyte
const atATime = 4

const families: [string, () => HostileFile[]][] = [
  ['PDF files', pdfFiles],
  ['Word files', wordFiles],
  ['text files', textFiles],
  ['changed copies of real documents', () => mutatedFiles(60, 16)],
]

describe.each(oneDatabase)('a corpus of hostile files, on $database', ({ env }) => {
  let server: Server
  let tenant: Tenant

  beforeAll(async () => {
    const limits = { CAIRN_PROCESSING_SECONDS: '1', CAIRN_EXTRACTION_BYTES: String(memoryLimit) }
    server = await startServer({ env: { ...(await env()), ...limits } })
    tenant = await createTenant(server.url)
  })
  afterAll(() => server?.stop())

  /** Fails if the response is neither a stored file nor a documented rejection of this file. */
  async function send({ name, content }: HostileFile): Promise<number> {
    const answer = await tenant.chat.post(
      `/v1/${tenant.chatId}/upload_with_scopes`,
      uploadForm(name, content),
    )
    if (answer.status !== 200) {
      expectRefusal(answer, { status: [400, 408, 413, 415], project: false }, name)
    }
    return answer.status
  }

  it('contains at least 400 files with different names', () => {
    const names = families.flatMap(([, make]) => make().map(({ name }) => name))
    expect(names.length).toBeGreaterThanOrEqual(400)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(families)(
    '%s are extracted or rejected with a reason, without side effects',
    async (_, make) => {
      const files = make()
      const peaks = watchMemory(server.pid)
      const next = files.values()
      await Promise.all(
        Array.from({ length: atATime }, async () => {
          for (const file of next) await send(file)
        }),
      )
      const { child } = peaks()
      expect(child).toBeLessThan(memoryLimit + overrun)
      expect(isRunning(server.pid)).toBe(true)
      expect((await new Api(server.url).get('/v1/health')).status).toBe(200)
    },
    180_000,
  )

  it('leaves a working server and no child process', async () => {
    expect(await send({ name: 'note.txt', content: 'The lamp is blue.' })).toBe(200)
    while (childrenOf(server.pid).length > 0) await pause(50)
    expect(isRunning(server.pid)).toBe(true)
  })
})
