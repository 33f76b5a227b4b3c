import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeTinyEmbedding, writeTinyRanker } from '../../server/test/tiny-model.ts'
import { ask, lastTrace, upload } from '../support/answers.ts'
import { Api, createTenant, type Tenant } from '../support/api.ts'
import { createPlace, type Place, runCommand } from '../support/command.ts'
import { oneDatabase } from '../support/databases.ts'
import { type Server, startServer } from '../support/server.ts'

describe.each(oneDatabase)('models of this machine, on $database', ({ env }) => {
  let folder: string
  let place: Place
  let server: Server
  let tenant: Tenant

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-models-'))
    await writeTinyEmbedding(join(folder, 'words'), { fox: [1, 0, 0], vulpine: [1, 0.1, 0], owl: [0, 1, 0] })
    await writeTinyRanker(join(folder, 'ranks'), { oil: 2, lamp: -1 })
    place = await createPlace(await env())
    const settings = { CAIRN_LOCAL_MODELS: folder, CAIRN_EMBEDDING_MODEL: 'local/words' }
    server = await startServer({ env: { ...(await env()), ...settings } })
    tenant = await createTenant(server.url)
  })
  afterAll(async () => {
    await server?.stop()
    await place?.remove()
    await rm(folder, { recursive: true, force: true })
    expect(server?.output()).not.toMatch(/"level":50/)
  })

  it('embed documents and questions: other words with the same meaning are found', async () => {
    await upload(tenant, 'fox.txt', 'vulpine')
    await upload(tenant, 'owl.txt', 'owl')
    const { results } = (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/search`, { query: 'fox' })).body
    expect(results.map(({ filename }: { filename: string }) => filename)).toEqual(['fox.txt'])
    const { models, embedding_model: used } = (await Api.admin(server.url).ok('GET', '/v1/console/models'))
      .body
    expect(used).toBe('local/words')
    expect(models.filter(({ name }: { name: string }) => name.startsWith('local/'))).toMatchObject([
      { name: 'local/words', kind: 'embedding', configured: true },
      { name: 'local/ranks', kind: 'rerank', configured: true },
    ])
  })

  it('rank passages, which costs nothing', async () => {
    const own = await createTenant(server.url)
    await upload(own, 'a.txt', 'The lamp in the harbour is a lamp.')
    await upload(own, 'b.txt', 'A harbour lamp burns oil.')
    await own.chat.ok('POST', `/v1/${own.chatId}/settings`, { rerank_model: 'local/ranks' })
    const { body } = await ask(own, 'Which lamp is in the harbour?')
    expect(body.context.map(({ filename }: { filename: string }) => filename)).toEqual(['b.txt', 'a.txt'])
    const trace = await lastTrace(own)
    const rerank = trace.spans.find(({ name }: { name: string }) => name === 'rerank')
    expect(rerank.model).toBe('local/ranks')
    expect(rerank.output[0].score).toBeCloseTo(1 / (1 + Math.exp(-2)), 5)
    expect([rerank.token_usage, rerank.status]).toEqual([undefined, undefined])
    const usage = (await own.project.ok('GET', `/v1/${own.projectId}/usage?purpose=rerank`)).body
    expect(usage.total.answers).toBe(0)
  })

  it('are listed with those that can be fetched', async () => {
    const { code, stdout } = await runCommand(place, ['models', 'list'], { CAIRN_LOCAL_MODELS: folder })
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('local/words (embedding): not pulled by Cairn'),
    ])
    expect(stdout).toMatch(/ {2}all-minilm-l6-v2 \(embedding, 24 MB, Apache-2.0\)/)
  })

  it('are fetched only with the right checksum, and the command says what was wrong', async () => {
    const hub = createServer((_, response) => void response.end('other bytes')).listen(0, '127.0.0.1')
    await once(hub, 'listening')
    const CAIRN_MODEL_HUB = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`
    const { code, stderr } = await runCommand(place, ['models', 'pull', 'all-minilm-l6-v2'], {
      CAIRN_MODEL_HUB,
    })
    hub.close()
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^model\.onnx has the checksum [0-9a-f]{64} instead of/),
    ])
    const { stdout } = await runCommand(place, ['models', 'list'])
    expect(stdout).toContain('  none\n')
    const unknown = await runCommand(place, ['models', 'pull', 'gpt-9'])
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no model gpt-9')])
  })

  it('that are configured but not there prevent the start', async () => {
    const started = runCommand(place, ['serve'], {
      CAIRN_EMBEDDING_MODEL: 'local/away',
      CAIRN_SUPERVISOR: 'off',
      PORT: '0',
    })
    const { code, stderr } = await started
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no embedding model local/away')])
  })
})
