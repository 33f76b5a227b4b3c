import { createClient, createUserClient } from '@cairn/sdk'
import { expect, it } from 'vitest'
import { registerApp } from '../support/applications.ts'
import { sharedServers } from '../support/databases.ts'
import { audience, startIssuer } from '../support/issuer.ts'
import { adminToken } from '../support/server.ts'

const sqlite = sharedServers.slice(0, 1)

it.each(sqlite)("the SDK's client of an end user covers all routes of users", async ({ server }) => {
  const issuer = await startIssuer()
  try {
    const { app_id: appId } = await registerApp(server.url, issuer.url)
    const token = await issuer.token('ann')
    const me = createUserClient({ baseUrl: server.url, appId, idToken: () => token })
    const { user_id } = await me.profile()
    const file = new File(['The ferry to Mull leaves on Fridays.'], 'ferry.txt')
    const first = await me.files.upload({ file, scopeValues: { year: 2030 } })
    const second = await me.files.uploadText({ text: 'The bus waits for the ferry.', name: 'bus' })
    const many = await me.files.uploadAll([new File(['# A boat'], 'boat.md'), new File(['x'], 'boat.exe')])
    expect(many).toMatchObject({ user_id, successful_uploads: 1, failed_uploads: 1 })
    expect((await me.files.list()).total_files).toBe(3)
    const messages = [{ role: 'user' as const, content: 'When does the ferry to Mull leave?' }]
    const {
      answer,
      citations,
      answer_id: answerId,
    } = await me.ask({ messages, scopeFilters: { year: 2030 } })
    expect(answer).toContain('Fridays')
    expect(citations).toMatchObject([{ source: 'ferry.txt' }])
    const rating = { answerId, rating: 'up', comment: 'Right', shareComment: true } as const
    expect(await me.feedback(rating)).toEqual({ success: true })
    await expect(me.feedback({ ...rating, shareComment: false })).rejects.toMatchObject({ status: 400 })
    const types: string[] = []
    for await (const { type } of me.stream({ messages, responseTokens: 100 })) types.push(type)
    expect(types.at(0)).toBe('context')
    expect(types.at(-1)).toBe('end')
    expect(await me.files.delete(first.file_id)).toMatchObject({ filename: 'ferry.txt' })
    const { events, nextCursor } = await me.events({ limit: 2 })
    expect(events.map(({ type }) => type)).toEqual(['file_deleted', 'file_uploaded'])
    expect((await me.events(nextCursor === undefined ? {} : { cursor: nextCursor })).events).toHaveLength(2)
    expect((await me.files.list()).files.map(({ file_id }) => file_id)).toContain(second.file_id)
    await expect(me.files.delete(first.file_id)).rejects.toMatchObject({ status: 404 })
  } finally {
    await issuer.close()
  }
})

it.each(sqlite)("the SDK's client of the console covers applications", async ({ server }) => {
  const issuer = await startIssuer()
  try {
    const { apps, projects } = createClient({ baseUrl: server.url, adminToken }).console
    const { project_id: projectId } = await projects.create({ name: 'of apps' })
    const { app_id: appId, ...registered } = await apps.register({
      name: 'Notes',
      issuer: issuer.url,
      audiences: [audience],
      algorithms: ['RS256'],
      jwksUri: `${issuer.url}/keys`,
      projectId,
    })
    expect(registered).toMatchObject({ app_name: 'Notes', project_id: projectId, alg_allowlist: ['RS256'] })
    for (const subject of ['ann', 'bob', 'cleo']) {
      const token = await issuer.token(subject)
      await createUserClient({ baseUrl: server.url, appId, idToken: token }).profile()
    }
    expect(await apps.list(projectId)).toMatchObject([{ app_id: appId, users: 3, files: 0 }])
    const { users, nextCursor = '' } = await apps.users(appId, { limit: 2 })
    const rest = await apps.users(appId, { limit: 2, cursor: nextCursor })
    expect([users.length, rest.users.length, rest.nextCursor]).toEqual([2, 1, undefined])
    await apps.deleteUser(appId, users[0]?.user_id ?? '')
    expect((await apps.get(appId)).users).toBe(2)
    expect(await apps.update(appId, { api_access_enabled: false })).toMatchObject({
      api_access_enabled: false,
    })
    await apps.delete(appId)
    expect(await apps.list(projectId)).toEqual([])
  } finally {
    await issuer.close()
  }
})
