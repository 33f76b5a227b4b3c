import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { type Server, startServer } from '../support/server.ts'

/** Lists of related words: half of the lists about one subject, half about another. */
const ashore = ['wheel', 'engine', 'brake', 'road', 'driver', 'tyre', 'gear', 'clutch']
const afloat = ['sail', 'anchor', 'harbour', 'deck', 'captain', 'tide', 'keel', 'rudder']
function text(n: number): string {
  const words = (n % 2 === 0 ? ashore : afloat).filter((_, place) => ((n >> 1) * 7 + place * 5) % 8 < 4)
  return `${n % 2 === 0 ? 'Ashore' : 'Afloat'}: ${words.join(', ')}. Number ${n}.`
}

describe.each(databases)('LSA vectors of a chat, on $database', ({ env }) => {
  let server: Server
  let tenant: Tenant
  let start: () => Promise<Server>
  let dataDir: string

  const upload = async (n: number) => {
    const form = uploadForm(`note-${n}.txt`, text(n), { group: n % 2 === 0 ? 'ashore' : 'afloat' })
    return (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)).body.file_id
  }
  const search = async (query: string, more: object = {}) =>
    (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/search`, { query, limit: 100, ...more })).body.results
  const texts = async (query: string, more: object = {}): Promise<string[]> =>
    (await search(query, more)).map(({ chunk_text }: { chunk_text: string }) => chunk_text)
  const says = (word: string) => (text: string) => text.includes(word)
  const saysNot = (word: string) => (text: string) => !text.includes(word)
  const until = async (isThere: () => Promise<boolean>) => {
    const end = Date.now() + 20_000
    while (!(await isThere())) {
      if (Date.now() > end) throw new Error('it never came')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cairn-vectors-'))
    const environment = await env()
    start = () => startServer({ env: environment, dataDir })
    server = await start()
    tenant = await createTenant(server.url)
    // In batches below the limit of waiting files.
    for (let from = 0; from < 60; from += 15) {
      await Promise.all(Array.from({ length: 15 }, (_, n) => upload(from + n)))
    }
  })
  afterAll(async () => {
    await server?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('are computed automatically, and find text about the same subject without the word', async () => {
    await until(async () => (await texts('clutch')).some(saysNot('clutch')))
    const found = await texts('clutch')
    const withWord = found.filter(says('clutch'))
    expect(withWord).toHaveLength(16)
    expect(found.slice(0, 16)).toEqual(withWord)
    expect(found.filter(says('Afloat'))).toEqual([])
  })

  it('respect the filters', async () => {
    expect(await texts('clutch', { scope_filters: { group: 'afloat' } })).toEqual([])
    const found = await texts('rudder', { scope_filters: { group: 'afloat' } })
    expect(found.some(saysNot('rudder'))).toBe(true)
    expect(found.filter(says('Ashore'))).toEqual([])
  })

  it('are computed for later documents', async () => {
    const later = 'Number 1006'
    expect(text(1006)).not.toContain('clutch')
    await upload(1006)
    await until(async () => (await texts('clutch')).some(says(later)))
  })

  it('are the same after a restart', async () => {
    const queries = ['clutch', 'the tide at the anchor', 'tyre', 'captian']
    const before = await Promise.all(queries.map((query) => search(query)))
    await server.stop()
    server = await start()
    tenant = { ...tenant, chat: new Api(server.url).withKey(tenant.chatKey) }
    expect(await Promise.all(queries.map((query) => search(query)))).toEqual(before)
  })
})
