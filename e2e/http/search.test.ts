import { beforeAll, describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'

interface Entry {
  file_id: string
  score: number
}

describe.each(sharedServers)('search in the documents of a chat, on $database', ({ server }) => {
  let tenant: Tenant
  let fileIds: string[]

  const search = async (request: object) =>
    (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/search`, request)).body
  const filesOf = (results: Entry[]) => results.map(({ file_id }) => file_id)

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    fileIds = []
    for (let n = 0; n < 12; n++) {
      const text = `Lamp number ${n} hangs in room ${n}. ${'It is yellow. '.repeat(n)}`
      const form = uploadForm(`room-${n}.txt`, text, { even: n % 2 === 0, floor: n % 3, wing: `${n % 3}` })
      fileIds.push(
        (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)).body.file_id,
      )
    }
  })

  it('returns the chat and by default eight entries, best first', async () => {
    const { chat_id, results, ...rest } = await search({ query: 'lamp' })
    expect(chat_id).toBe(tenant.chatId)
    expect(rest).toEqual({})
    expect(results).toHaveLength(8)
    const scores = results.map(({ score }: Entry) => score)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    expect(scores.every((score: number) => score > 0 && score <= 1)).toBe(true)
    expect(new Set(filesOf(results)).size).toBe(8)
    expect(await search({ query: 'lamp', limit: null, scope_filters: null })).toEqual({ chat_id, results })
  })

  it('returns the context of an answer, in the same order', async () => {
    const query = 'Which lamp hangs in room 7?'
    const answered = await tenant.chat.ok('POST', `/v1/${tenant.chatId}/answer_question`, { question: query })
    expect(answered.body.context).toHaveLength(8)
    const { results } = await search({ query })
    expect(results).toEqual(answered.body.context)
    expect(results[0]).toEqual({
      chunk_id: expect.stringMatching(/^chk_/),
      chunk_text: expect.stringContaining('room 7'),
      score: expect.any(Number),
      filename: 'room-7.txt',
      file_id: fileIds[7],
    })
  })

  const words = (one: (n: number) => string) =>
    Array.from({ length: 30_000 }, (_, n) => one(n))
      .join(' ')
      .slice(0, 100_000)
  it.each([
    ['names', words((n) => `Name${n.toString(36)}`)],
    ['initials', words(() => 'A')],
    ['numbers', words((n) => `${n}`)],
    ['one word', 'X'.repeat(100_000)],
    ['dots', `X ${'.'.repeat(99_000)}X`],
    ['brackets', `X ${'(['.repeat(49_000)}X`],
  ])('accepts a query of 100,000 characters that consists of %s', async (_, question) => {
    const { results } = await search({ query: question })
    const { body } = await tenant.chat.ok('POST', `/v1/${tenant.chatId}/answer_question`, { question })
    expect(body.context.length).toBeLessThanOrEqual(8)
    expect(results.length).toBeLessThanOrEqual(8)
  })

  it('returns the same best entries for every limit', async () => {
    const { results: all } = await search({ query: 'lamp', limit: 100 })
    expect(all).toHaveLength(12)
    for (const limit of [1, 5, 12]) {
      expect((await search({ query: 'lamp', limit })).results).toEqual(all.slice(0, limit))
    }
  })

  it('has a limit, which questions ignore', async () => {
    const path = `/v1/${tenant.chatId}/answer_question`
    const question = 'Which lamp hangs in room 7?'
    const { body } = await tenant.chat.ok('POST', path, { question })
    for (const limit of [1, 100, 'x', -1]) {
      const limited = (await tenant.chat.ok('POST', path, { question, limit })).body
      expect(limited).toEqual({ ...body, answer_id: limited.answer_id })
    }
  })

  it('returns an empty list if nothing matches', async () => {
    expect((await search({ query: 'zanzibar' })).results).toEqual([])
  })

  it.each([
    [{ even: true }, [0, 2, 4, 6, 8, 10]],
    [{ even: false, floor: 0 }, [3, 9]],
    [{ floor: 0 }, [0, 3, 6, 9]],
    [{ wing: '0' }, [0, 3, 6, 9]],
    [{ floor: '0' }, []],
    [{ even: 0 }, []],
    [{ attic: 1 }, []],
  ])('applies the filters %j exactly and before the limit', async (scope_filters, fitting) => {
    const { results, scope_filters_applied } = await search({ query: 'lamp', limit: 100, scope_filters })
    expect(scope_filters_applied).toEqual(scope_filters)
    expect(filesOf(results).toSorted()).toEqual(fitting.map((n) => fileIds[n]).toSorted())
    const { results: some } = await search({ query: 'lamp', limit: 2, scope_filters })
    expect(some).toEqual(results.slice(0, 2))
  })

  it('returns the applied filters if filters were sent, even empty ones', async () => {
    expect((await search({ query: 'lamp', scope_filters: {} })).scope_filters_applied).toEqual({})
    expect(await search({ query: 'lamp' })).not.toHaveProperty('scope_filters_applied')
  })

  it('follows relationships to other files, but never out of the scope filters and the files of the chat', async () => {
    const { chat, chatId } = await createTenant(server.url)
    const add = async (name: string, text: string, team: string): Promise<string> => {
      const form = uploadForm(name, text, { team })
      return (await chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, form)).body.file_id
    }
    const heron = await add('heron.txt', 'The heron nests beside the weir.', 'public')
    const quokka = await add('quokka.txt', 'A quokka sleeps under the old sycamore.', 'private')
    const find = async (query: string, scope_filters?: object) =>
      (await chat.ok('POST', `/v1/${chatId}/search`, { query, scope_filters })).body.results
    const [[source], [target]] = [await find('heron'), await find('quokka')]
    await Api.admin(server.url).ok('POST', '/create_relationship', {
      source_id: source.chunk_id,
      target_id: target.chunk_id,
      relationship_type: 'EXPLAINS',
      properties: { confidence: 1 },
    })
    expect(filesOf(await find('heron'))).toEqual([heron, quokka])
    expect(filesOf(await find('heron', { team: 'public' }))).toEqual([heron])
    expect(filesOf(await find('quokka', { team: 'private' }))).toEqual([quokka])
    await chat.ok('POST', `/v1/${chatId}/settings`, { context_files: [heron] })
    const question = 'Where does the heron nest?'
    const { body } = await chat.ok('POST', `/v1/${chatId}/answer_question`, { question })
    expect(filesOf(body.context)).toEqual([heron])
  })

  it('adds the passages before and after a found one', async () => {
    const { chat, chatId } = await createTenant(server.url)
    const filler = 'The river carries the copper lantern past the quiet orchard. '.repeat(25)
    const sections = ['First', 'Second', 'Third'].map((title) => {
      return `# ${title}\n\n${title === 'Second' ? 'The zeppelin is moored. ' : ''}${filler}`
    })
    const form = uploadForm('walk.md', sections.join('\n\n'))
    const { file_id } = (await chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, form)).body
    const { chunks } = (await chat.ok('GET', `/v1/${chatId}/files/${file_id}/chunks`)).body
    const at = chunks.findIndex(({ text }: { text: string }) => text.includes('zeppelin'))
    const { body } = await chat.ok('POST', `/v1/${chatId}/search`, { query: 'zeppelin' })
    const found = body.results.map(({ chunk_id }: { chunk_id: string }) => chunk_id)
    expect(found[0]).toBe(chunks[at].chunk_id)
    const around = [chunks[at - 1].chunk_id, chunks[at + 1].chunk_id]
    expect(found.slice(1).toSorted()).toEqual(around.toSorted())
  })

  it('does not record a trace in the project', async () => {
    const traces = async () =>
      (await tenant.project.ok('GET', `/v1/${tenant.projectId}/analytics/export?format=jsonl`)).text
    const before = await traces()
    await search({ query: 'Which lamp hangs in room 7?' })
    expect(await traces()).toBe(before)
  })

  it('finds nothing of another chat', async () => {
    const other = await createTenant(server.url)
    const { body } = await other.chat.ok('POST', `/v1/${other.chatId}/search`, { query: 'lamp' })
    expect(body).toEqual({ chat_id: other.chatId, results: [] })
    const path = `/v1/${tenant.chatId}/search`
    expectRefusal(await other.chat.post(path, { query: 'lamp' }), { status: 403, project: false })
  })
})
