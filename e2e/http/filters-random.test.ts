import { describe, expect, it } from 'vitest'
import { type Answer, Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { seededRandom } from '../support/random.ts'

type Scopes = Record<string, string | number | boolean>

interface Stored {
  fileId: string
  scopes: Scopes
}

/** Values of one name that look alike, and are not the same. */
const values: Record<string, Scopes[string][]> = {
  team: ['a', 'A', 'b', '', '1', 'true'],
  year: [1, '1', 0, 1.5, '0', -1],
  open: [true, false, 'true', 1],
}
const words = 'anchor basalt cedar dahlia ember falcon garnet heron indigo juniper kestrel lagoon'.split(' ')
const rounds = 60

/** Exactly, by type and value; a name that the document has not is no match. */
const isInside = (scopes: Scopes, filters: Scopes) =>
  Object.entries(filters).every(([name, value]) => Object.hasOwn(scopes, name) && scopes[name] === value)

describe.each(sharedServers)('searches with random filters, on $database', ({ database, server }) => {
  let tenant: Tenant

  /** Texts by chunk, as the graph shows them, for those files. */
  async function chunksOf(files: readonly string[]): Promise<Map<string, { fileId: string; text: string }>> {
    const { body } = await Api.admin(server.url).ok('GET', `/graph_data/${tenant.chatId}`)
    const texts = new Map<string, string>(
      body.nodes.map((node: Answer['body']) => [node.id, node.properties.text ?? '']),
    )
    const edges = body.relationships.filter(
      ({ type, source }: Answer['body']) => type === 'HAS_CHUNK' && files.includes(source),
    )
    return new Map(
      edges.map(({ source, target }: Answer['body']) => [
        target,
        { fileId: source, text: texts.get(target) ?? '' },
      ]),
    )
  }

  // The filters apply to an index in memory, which is read from the database.
  it.each(database === 'SQLite' ? [1, 2, 3] : [1])(
    'show nothing outside and miss nothing inside, seed %i',
    async (seed) => {
      const random = seededRandom(seed)
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
      const someScopes = (share: number): Scopes =>
        Object.fromEntries(
          Object.entries(values)
            .filter(() => random() < share)
            .map(([name, list]) => [name, pick(list)]),
        )
      const textOf = (number: number) => {
        const sentence = () => `The ${pick(words)} lies by the ${pick(words)} and the ${pick(words)}.`
        const paragraphs = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
          Array.from({ length: 1 + Math.floor(random() * 25) }, sentence).join(' '),
        )
        return `Note ${number}.\n\n${paragraphs.join('\n\n')}`
      }
      tenant = await createTenant(server.url)
      const { chat, chatId } = tenant
      let stored: Stored[] = []
      let count = 0
      const upload = async () => {
        const scopes = someScopes(0.7)
        const form = uploadForm(`note-${count}.txt`, textOf(count++), scopes)
        const { body } = await chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, form)
        stored.push({ fileId: body.file_id, scopes })
      }
      for (let at = 0; at < 12; at++) await upload()
      let found = 0
      for (let round = 0; round < rounds; round++) {
        const files = random() < 0.3 ? stored.filter(() => random() < 0.6).map(({ fileId }) => fileId) : 'all'
        await chat.ok('POST', `/v1/${chatId}/settings`, { context_files: files })
        const filters = random() < 0.5 ? { ...pick(stored).scopes } : someScopes(0.5)
        for (const name of Object.keys(filters)) if (random() < 0.3) delete filters[name]
        const inside = stored.filter(
          ({ fileId, scopes }) => isInside(scopes, filters) && (files === 'all' || files.includes(fileId)),
        )
        const chunks = await chunksOf(inside.map(({ fileId }) => fileId))
        // While the search runs, a file is deleted or another one comes: both may be shown or not.
        const leaving = random() < 0.4 ? pick(stored) : undefined
        const asked = [pick(words), pick(words)]
        const request = { query: asked.join(' '), limit: 100, scope_filters: filters }
        const [answer] = await Promise.all([
          chat.ok('POST', `/v1/${chatId}/search`, request),
          leaving && chat.ok('DELETE', `/v1/${chatId}/files/${leaving.fileId}`),
        ])
        const shown = new Set<string>(answer.body.results.map((entry: Answer['body']) => entry.chunk_id))
        const message = `round ${round}: ${JSON.stringify({ filters, files, asked })}`
        for (const id of shown) expect(chunks.has(id), `${message} shows ${id}`).toBe(true)
        for (const [id, { fileId, text }] of chunks) {
          const says = asked.some((word) => new RegExp(`\\b${word}\\b`).test(text))
          if (says && fileId !== leaving?.fileId) expect(shown.has(id), `${message} misses ${id}`).toBe(true)
        }
        found += shown.size
        stored = stored.filter((file) => file !== leaving)
        if (leaving || random() < 0.1) await upload()
      }
      expect(found).toBeGreaterThan(3 * rounds)
    },
    60_000,
  )
})
