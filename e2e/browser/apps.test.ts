import { type Client, createClient, createUserClient } from '@cairn/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audience, someIssuer } from '../support/issuer.ts'
import { adminToken } from '../support/server.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath } from './chromium.ts'
import { Dashboard } from './dashboard.ts'
import { makeApps } from './sample-apps.ts'

describe.skipIf(!chromiumPath)('applications in the dashboard', () => {
  let dashboard: Dashboard
  let client: Client
  let projectId: string
  let chatId: string
  let appId: string

  beforeAll(async () => {
    dashboard = await Dashboard.start()
    client = createClient({ baseUrl: dashboard.server.url, adminToken })
    projectId = (await client.console.projects.create({ name: 'Apps' })).project_id
    chatId = (await client.console.chats.create(projectId, { title: 'Handbook', publish: true })).chat_id
    appId = await makeApps(client, { projectId, chatId, baseUrl: dashboard.server.url })
  })
  afterAll(() => dashboard?.stop())

  const at = (path = '') => `/projects/${projectId}/apps${path}`
  const profile = async (id: string, subject: string) => {
    const idToken = await (await someIssuer()).token(subject)
    return createUserClient({ baseUrl: dashboard.server.url, appId: id, idToken }).profile()
  }

  it('are listed with state, users, files and size, but without content of users', async () => {
    const { page, problems } = await dashboard.open(at(), { dark: true })
    const row = page.getByRole('row', { name: /Tenant portal/ })
    await row.waitFor()
    expect(await row.innerText()).toMatch(/On[\s\S]*\b4\b[\s\S]*\b5\b[\s\S]*\d+ B/)
    expect(await page.getByRole('row', { name: /Field staff/ }).innerText()).toContain('Off')
    await page.getByText('Only users themselves see their file names').waitFor()
    await expectAccessible(page)
    await row.click()
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('row').nth(4).waitFor()
    expect(await page.locator('body').innerText()).not.toContain('secret')
    await expectAccessible(page)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('are registered; an error of the server is shown at its field, and the input stays', async () => {
    const issuer = await someIssuer()
    const { page } = await dashboard.open(at('/register'), { width: 390 })
    await page.getByLabel('Name', { exact: true }).fill('Notes')
    await page.getByLabel('Issuer', { exact: true }).fill('http://login.example.com')
    await page.getByLabel('Audiences').fill(`${audience}\nanother`)
    await page.getByRole('button', { name: 'Register application' }).click()
    await page.getByText('issuer must begin with https://').waitFor()
    expect(await page.getByLabel('Issuer', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Notes')
    await expectAccessible(page)
    await page.getByLabel('Issuer', { exact: true }).fill(issuer.url)
    await page.getByLabel('ES256').uncheck()
    await page.getByLabel(/Show users the file names and snippets/).uncheck()
    await page.getByRole('button', { name: 'Register application' }).click()
    await page.getByRole('heading', { name: 'Notes' }).waitFor()
    const app = (await client.console.apps.list(projectId)).find(({ app_name }) => app_name === 'Notes')
    expect(app).toMatchObject({ allowed_audiences: [audience, 'another'], alg_allowlist: ['RS256'] })
    const parent = await client.console.chats.get(app?.chat_id ?? '')
    expect(parent.published_settings?.show_sources_to_users).toBe(false)
    await page.context().close()
  })

  it('warn about DYNAMIC before and after the registration', async () => {
    const { page } = await dashboard.open(at('/register'))
    await page.getByLabel(/Any issuer/).check()
    await page.getByText('Anybody who runs an identity provider').waitFor()
    await page.getByLabel(/Any audience/).check()
    await page.getByText('another user with other files').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Open house')
    await page.getByRole('button', { name: 'Register application' }).click()
    await page.getByRole('heading', { name: 'Open house' }).waitFor()
    await page.getByRole('link', { name: 'Settings', exact: true }).last().click()
    await page.getByText('Any audience is accepted').waitFor()
    await page.getByLabel('Accepted issuers').fill('https://login.example.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const [app] = (await client.console.apps.list(projectId)).filter(
      ({ app_name }) => app_name === 'Open house',
    )
    expect(app).toMatchObject({ issuer: 'DYNAMIC', allowed_issuers: ['https://login.example.com'] })
    await page.context().close()
  })

  it('have an example with their id and the server’s address, in three languages', async () => {
    const { page, problems } = await dashboard.open(at(`/${appId}?tab=integration`))
    for (const [language, words] of [
      ['TypeScript', 'createUserClient'],
      ['curl', '--data-urlencode'],
      ['Python', 'requests.post'],
    ] as const) {
      await page.getByRole('tab', { name: language }).click()
      const code = await page.locator('pre').innerText()
      for (const part of [words, appId, dashboard.server.url]) expect(code).toContain(part)
    }
    await expectAccessible(page)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('change audiences, and are disabled and enabled with a confirmation', async () => {
    const { page } = await dashboard.open(at(`/${appId}`))
    await page.getByLabel('Audiences').fill('new-client')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await expect(profile(appId, 'ann')).rejects.toMatchObject({ status: 401 })
    await page.getByLabel('Audiences').fill(`new-client\n${audience}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() =>
        profile(appId, 'ann').then(
          ({ success }) => success,
          () => false,
        ),
      )
      .toBe(true)
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('dialog').getByText('4 users').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('API access is off').waitFor()
    await expect(profile(appId, 'ann')).rejects.toMatchObject({ status: 403 })
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('API access is on').waitFor()
    expect(await profile(appId, 'ann')).toMatchObject({ success: true })
    await page.context().close()
  })

  it('delete a user with all data, and are deleted after their name is typed', async () => {
    const { page } = await dashboard.open(at(`/${appId}?tab=users`))
    const { users } = await client.console.apps.users(appId)
    const [gone] = users.filter(({ files }) => files === 2)
    await page.getByRole('button', { name: `Delete ${gone?.user_id}` }).click()
    await page.getByRole('dialog').getByText('2 files').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click()
    await page.getByText('3 users').waitFor()
    expect((await client.console.apps.get(appId)).users).toBe(3)
    await page.getByRole('button', { name: 'Delete', exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Delete application' }).isDisabled()).toBe(true)
    await dialog.getByLabel(/Type/).fill('Tenant portal')
    await dialog.getByRole('button', { name: 'Delete application' }).click()
    await page.waitForURL((url) => url.pathname === at())
    await page.getByRole('row', { name: /Field staff/ }).waitFor()
    expect(await page.getByRole('row', { name: /Tenant portal/ }).count()).toBe(0)
    await expect(client.console.apps.get(appId)).rejects.toMatchObject({ status: 404 })
    await page.context().close()
  })

  it('are explained in a project without applications', async () => {
    const empty = await client.console.projects.create({ name: 'Empty' })
    const { page } = await dashboard.open(`/projects/${empty.project_id}/apps`)
    await page.getByText('No applications yet').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Register application' }).click()
    await page.getByLabel('Name', { exact: true }).waitFor()
    await page.context().close()
  })
})
