import { beforeAll, describe, expect, it } from 'vitest'
import { ask, lastTrace, upload } from '../support/answers.ts'
import { createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'

const retrieval = async (tenant: Tenant) => {
  const { spans } = await lastTrace(tenant)
  return spans.find(({ name }: { name: string }) => name === 'retrieve')
}

describe.each(sharedServers)('follow-ups without a provider, on $database', ({ server }) => {
  let tenant: Tenant

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    const texts = {
      'sales-2018.md': 'Net sales were 31 million euros in 2018, more than ever before.',
      'sales-2019.md': 'Net sales were 45 million euros in 2019, because a shop opened.',
      'budget.md':
        'The budget of the museum was approved by Maria Jensen. Peter Holm is the director of the museum.',
      'minutes.md': 'Maria Jensen approved the budget on 3 May 2017 in Tartu.',
      'umsatz-2018.md':
        'Der Umsatz der Mühle betrug im Jahr 2018 sieben Millionen Euro, so viel wie nie zuvor.',
      'umsatz-2019.md':
        'Der Umsatz der Mühle betrug im Jahr 2019 neun Millionen Euro, denn ein Laden kam dazu.',
    }
    for (const [name, text] of Object.entries(texts)) await upload(tenant, name, text)
  })

  const say = async (question: string, session_id: string, rest: object = {}) => {
    const { status, text, body } = await ask(tenant, question, { session_id, ...rest })
    expect(status, text).toBe(200)
    return body.answer as string
  }
  const first = (answer: string) => answer.slice(0, answer.indexOf('[^'))

  it.each([
    ['What were net sales in 2018?', 'And in 2019?', '31 million', '45 million'],
    ['Who approved the budget of the museum?', 'When did she do it?', 'Maria Jensen', '3 May 2017'],
    ['Wie hoch war der Umsatz der Mühle im Jahr 2018?', 'Und im Jahr 2019?', 'sieben', 'neun'],
  ])('"%s" is followed by "%s"', async (question, next, fact, nextFact) => {
    expect(first(await say(question, question))).toContain(fact)
    expect(first(await say(next, question))).toContain(nextFact)
  })

  it('show in the trace what was taken over', async () => {
    await say('What were net sales in 2018?', 'traced')
    expect((await retrieval(tenant)).attributes).not.toHaveProperty('completed_question')
    await say('And in 2019?', 'traced')
    const { input, attributes } = await retrieval(tenant)
    expect(input).toBe('What were net sales in 2019?')
    expect(attributes).toMatchObject({
      completed_question: 'What were net sales in 2019?',
      taken_over: [{ text: 'What were net sales in 2018?', from: 'question', turn: 1 }],
    })
  })

  it('leave a question that stands alone unchanged', async () => {
    const question = 'Who is the director of the museum?'
    const alone = await say(question, 'fresh')
    await say('What were net sales in 2018?', 'busy')
    expect(await say(question, 'busy')).toBe(alone)
    expect((await retrieval(tenant)).input).toBe(question)
  })

  it('need the same session, and a limit of history that keeps a turn', async () => {
    const { body } = await tenant.chat.ok('GET', `/v1/${tenant.chatId}/settings`)
    const limit = (conversation_history_limit: number) =>
      tenant.chat.ok('POST', `/v1/${tenant.chatId}/settings`, { conversation_history_limit })
    await say('What were net sales in 2018?', 'one')
    await say('And in 2019?', 'another')
    expect((await retrieval(tenant)).input).toBe('And in 2019?')
    await limit(1)
    await say('And in 2019?', 'one')
    expect((await retrieval(tenant)).input).toBe('And in 2019?')
    await limit(body.settings.conversation_history_limit)
  })

  it('take over only from turns whose filters include those of the question', async () => {
    const add = (name: string, text: string, scopes: object) =>
      tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, uploadForm(name, text, scopes))
    await add('walrus.md', 'The walrus Quokka was born in 2001.', { team: 'private' })
    await add('heron.md', 'The heron Hugo was born in 2002.', { team: 'public' })
    const filtered = (question: string, team: string) => say(question, 'scopes', { scope_filters: { team } })
    await filtered('When was the walrus Quokka born?', 'private')
    await filtered('Where was it born?', 'public')
    expect((await retrieval(tenant)).attributes).not.toHaveProperty('taken_over')
    await filtered('Who saw it?', 'private')
    expect((await retrieval(tenant)).input).toMatch(/Quokka/)
  })
})
