import { beforeAll, describe, expect, it } from 'vitest'
import { upload } from '../support/answers.ts'
import { type Answer, Api, createTenant, parseEvents, type Tenant } from '../support/api.ts'
import { registerApp, signIn } from '../support/applications.ts'
import { sharedServers } from '../support/databases.ts'
import { someIssuer } from '../support/issuer.ts'
import { expectRefusal } from '../support/refusal.ts'

const question = 'Where does the grey hawk Hector live?'
const own = '/v1/me/chats/feedback'

describe.each(sharedServers)('ratings of answers, on $database', ({ server }) => {
  let tenant: Tenant
  let appId: string
  let ann: Api
  let bob: Api
  let admin: Api

  beforeAll(async () => {
    admin = Api.admin(server.url)
    tenant = await createTenant(server.url)
    await upload(tenant, 'birds.txt', 'The grey hawk Hector lives in a nest above Oban harbour.')
    const issuer = await someIssuer()
    appId = (await registerApp(server.url, issuer.url, { chat_id: tenant.chatId })).app_id
    ann = await signIn(server.url, appId, issuer, 'ann')
    bob = await signIn(server.url, appId, issuer, 'bob')
  })

  const form = (fields: Record<string, string>) => new URLSearchParams(fields)
  const rate = (body: object, chat = tenant.chat) => chat.post(`/v1/${tenant.chatId}/feedback`, body)
  const ask = async (): Promise<string> =>
    (await tenant.chat.ok('POST', `/v1/${tenant.chatId}/answer_question`, { question })).body.answer_id
  const askAs = async (user: Api): Promise<string> => {
    const messages = JSON.stringify([{ role: 'user', content: question }])
    return (await user.ok('POST', '/v1/me/chats/query', form({ messages }))).body.answer_id
  }
  /** An answer of another chat of the project, with a key of this chat. */
  const askedElsewhere = async () => {
    const chats = `/v1/console/projects/${tenant.projectId}/chats`
    const chatId: string = (await admin.ok('POST', chats, { title: 'second', publish: true })).body.chat_id
    const { api_key, key_id } = (await admin.ok('POST', `/v1/console/chats/${chatId}/keys`, {})).body
    const chat = new Api(server.url, { authorization: `Bearer ${api_key}` })
    const asked = await chat.ok('POST', `/v1/${chatId}/answer_question`, { question })
    return { chatId, chat, keyId: key_id as string, answerId: asked.body.answer_id as string }
  }
  const scoresOf = async (id: string) =>
    (await tenant.project.ok('GET', `/v1/${tenant.projectId}/traces/${id}/scores`)).body
  const expectUnknown = (answer: Answer) =>
    expectRefusal(answer, { status: 404, project: false, names: 'answer not found' })

  it('are the score user_feedback of the trace that the answer names', async () => {
    const answer_id = await ask()
    expect((await rate({ answer_id, rating: 'down', comment: ' It is in Oban. ' })).body).toEqual({
      success: true,
    })
    const { body: trace } = await tenant.project.ok(
      'GET',
      `/v1/${tenant.projectId}/analytics/traces/${answer_id}`,
    )
    expect(trace.input).toBe(question)
    expect(trace.scores).toEqual([
      {
        score_id: expect.stringMatching(/^scr_[0-9a-z]{20}$/),
        name: 'user_feedback',
        value: 0,
        comment: 'It is in Oban.',
        source: 'feedback',
        created_at: expect.any(String),
      },
    ])
    const stream = await tenant.chat.post(`/v1/${tenant.chatId}/answer_question_stream`, { question })
    const end = parseEvents(stream.text).at(-1)
    expect(end).toMatchObject({ type: 'end', data: { answer_id: expect.any(String) } })
    const streamed = end?.data.answer_id
    await rate({ answer_id: streamed, rating: 'up' })
    expect(await scoresOf(streamed)).toMatchObject([{ value: 1, comment: null }])
  })

  it('of draft answers come from the dashboard', async () => {
    const { headers } = await admin.ok('POST', '/v1/console/session')
    const session = new Api(server.url, { cookie: headers.get('set-cookie') ?? '', origin: server.url })
    const drafted = await session.ok('POST', '/answer_question', { chat_id: tenant.chatId, question })
    expect((await rate({ answer_id: drafted.body.answer_id, rating: 'up' }, session)).status).toBe(200)
    expect(await scoresOf(drafted.body.answer_id)).toMatchObject([{ value: 1 }])
  })

  it('replace earlier ones, also at the same time, and are taken back', async () => {
    const answer_id = await ask()
    await rate({ answer_id, rating: 'down', comment: 'Wrong' })
    const [before] = await scoresOf(answer_id)
    await rate({ answer_id, rating: 'up' })
    const [after, ...others] = await scoresOf(answer_id)
    expect(others).toEqual([])
    expect(after).toMatchObject({ score_id: before.score_id, value: 1, comment: null })
    const clicks = ['up', 'down', 'up', 'up', 'down', 'none', 'up', 'down']
    const answers = await Promise.all(clicks.map((rating) => rate({ answer_id, rating })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await scoresOf(answer_id)).length).toBeLessThanOrEqual(1)
    for (const _ of 'twice') expect((await rate({ answer_id, rating: 'none' })).status).toBe(200)
    expect(await scoresOf(answer_id)).toEqual([])
  })

  it('leave scores by hand alone, also of the same name', async () => {
    const answer_id = await ask()
    const byHand = { name: 'user_feedback', value: 0.5, comment: 'by hand' }
    await tenant.project.ok('POST', `/v1/${tenant.projectId}/traces/${answer_id}/scores`, byHand)
    for (const rating of ['up', 'none']) await rate({ answer_id, rating })
    expect(await scoresOf(answer_id)).toMatchObject([{ ...byHand, source: 'human' }])
  })

  it('are for keys of the chat that was asked, and for no other answers', async () => {
    const answer_id = await ask()
    const neighbour = await createTenant(server.url)
    const { chatId: second, chat: sibling, keyId } = await askedElsewhere()
    const trace = { input: 'i', output: 'o', custom_attributes: { chat_id: tenant.chatId } }
    const sent = (await tenant.project.ok('POST', `/v1/${tenant.projectId}/traces`, trace)).body.trace_id
    expectUnknown(await neighbour.chat.post(`/v1/${neighbour.chatId}/feedback`, { answer_id, rating: 'up' }))
    expectUnknown(await sibling.post(`/v1/${second}/feedback`, { answer_id, rating: 'up' }))
    for (const id of [sent, await askAs(ann), 'trc_00000000000000000000', 'x']) {
      expectUnknown(await rate({ answer_id: id, rating: 'up' }))
    }
    expect((await rate({ answer_id, rating: 'up' }, sibling)).status).toBe(403)
    expect((await rate({ answer_id, rating: 'up' }, tenant.project)).status).toBe(403)
    await admin.ok('DELETE', `/v1/console/keys/${keyId}`)
    expect((await sibling.post(`/v1/${second}/feedback`, { answer_id, rating: 'up' })).status).toBe(401)
    expect(await scoresOf(answer_id)).toEqual([])
  })

  it('of end users are for their own answers only', async () => {
    const answer_id = await askAs(ann)
    for (const id of [answer_id, await ask(), 'trc_00000000000000000000']) {
      expectUnknown(await bob.post(own, form({ answer_id: id, rating: 'up' })))
    }
    expect(await scoresOf(answer_id)).toEqual([])
    const rated = await ann.ok('POST', own, form({ answer_id, rating: 'up' }))
    expect(rated.body).toEqual({ success: true })
    expect(Number(rated.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0)
    expect(await scoresOf(answer_id)).toEqual([
      expect.objectContaining({ name: 'user_feedback', value: 1, comment: null, source: 'feedback' }),
    ])
    const wrong: [string, Record<string, string>][] = [
      ['rating', { answer_id }],
      ['answer_id', { rating: 'up' }],
      ['rating', { answer_id, rating: 'great' }],
    ]
    for (const [names, fields] of wrong) {
      expectRefusal(await ann.post(own, form(fields)), { status: 400, project: false, names })
    }
  })

  it('of end users have a comment only if the user shares it with the developer', async () => {
    const answer_id = await askAs(ann)
    const comment = 'The nest is at number 7.'
    for (const more of [{}, { share_comment: 'false' }]) {
      const refused = await ann.post(own, form({ answer_id, rating: 'down', comment, ...more }))
      expectRefusal(refused, { status: 400, project: false, names: 'share_comment' })
    }
    expect(await scoresOf(answer_id)).toEqual([])
    await ann.ok('POST', own, form({ answer_id, rating: 'down', comment, share_comment: 'true' }))
    expect(await scoresOf(answer_id)).toMatchObject([{ value: 0, comment }])
  })

  it('lose their comments with the deletion of the end user, but not of a chat', async () => {
    const issuer = await someIssuer()
    const carl = await signIn(server.url, appId, issuer, 'carl')
    const { user_id } = (await carl.ok('GET', '/v1/me/profile')).body
    const answer_id = await askAs(carl)
    const shared = { rating: 'up', comment: 'So it is.', share_comment: 'true' }
    await carl.ok('POST', own, form({ answer_id, ...shared }))
    const { chatId, chat, answerId } = await askedElsewhere()
    await chat.ok('POST', `/v1/${chatId}/feedback`, {
      answer_id: answerId,
      rating: 'up',
      comment: 'By a key.',
    })
    // Deletions of a project run one after the other, so the chat is deleted before the user.
    await admin.ok('DELETE', `/v1/console/chats/${chatId}`)
    await admin.ok('DELETE', `/v1/console/apps/${appId}/users/${user_id}`)
    await expect.poll(() => scoresOf(answer_id)).toMatchObject([{ value: 1, comment: null }])
    expect(await scoresOf(answerId)).toMatchObject([{ comment: 'By a key.' }])
    const returned = await signIn(server.url, appId, issuer, 'carl')
    expectUnknown(await returned.post(own, form({ answer_id, rating: 'down' })))
  })

  it('end with the deletion of the trace', async () => {
    const [mine, ofChat] = [await askAs(ann), await ask()]
    await rate({ answer_id: ofChat, rating: 'up' })
    for (const id of [mine, ofChat]) {
      await tenant.project.ok('DELETE', `/v1/${tenant.projectId}/traces/${id}`)
    }
    expectUnknown(await rate({ answer_id: ofChat, rating: 'up' }))
    expectUnknown(await ann.post(own, form({ answer_id: mine, rating: 'up' })))
  })

  it('are in the averages of scores, and filter traces', async () => {
    const fresh = await createTenant(server.url)
    const ids: string[] = []
    for (const rating of ['up', 'up', 'down', 'up']) {
      const asked = await fresh.chat.ok('POST', `/v1/${fresh.chatId}/answer_question`, { question })
      const { answer_id } = asked.body
      ids.push(answer_id)
      await fresh.chat.ok('POST', `/v1/${fresh.chatId}/feedback`, { answer_id, rating })
    }
    const base = `/v1/${fresh.projectId}`
    const averages = (await fresh.project.ok('GET', `${base}/analytics/scores`)).body
    expect(JSON.stringify(averages)).toContain('user_feedback')
    expect(JSON.stringify(averages)).toContain('0.75')
    const disliked = await fresh.project.ok('GET', `${base}/analytics/traces?score.user_feedback=0`)
    expect(disliked.body.map(({ trace_id }: { trace_id: string }) => trace_id)).toEqual([ids[2]])
    const liked = await fresh.project.ok('GET', `${base}/analytics/traces?score.user_feedback%3E=1`)
    expect(liked.body).toHaveLength(3)
  })
})
