import { createClient } from '@cairn/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken } from '../support/server.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath } from './chromium.ts'
import { Dashboard } from './dashboard.ts'

describe.skipIf(!chromiumPath)('the frame of the dashboard', () => {
  let dashboard: Dashboard
  let projectId: string

  beforeAll(async () => {
    dashboard = await Dashboard.start()
    const client = createClient({ baseUrl: dashboard.server.url, adminToken })
    projectId = (await client.console.projects.create({ name: 'Alpha' })).project_id
    await client.console.projects.create({ name: 'Beta' })
  })
  afterAll(() => dashboard?.stop())

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 })
  const background = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor')

  it('signs in once for all windows of a browser, and out', async () => {
    const { page } = await dashboard.openSignedOut(`/projects/${projectId}/settings/keys`)
    await page.waitForURL((url) => url.pathname === '/sign-in')
    await expectAccessible(page)
    await page.getByLabel('Admin token').fill('not-the-admin-token')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('the admin token is wrong').waitFor()
    await dashboard.signIn(page)
    expect(new URL(page.url()).pathname).toBe(`/projects/${projectId}/settings/keys`)
    const another = await page.context().newPage()
    await another.goto(dashboard.server.url)
    await another.getByRole('row', { name: /Alpha/ }).waitFor()
    // No script can read the cookie, and the token is not stored.
    const kept = await page.evaluate('JSON.stringify([document.cookie, localStorage, sessionStorage])')
    expect(kept).not.toContain('cairn_session')
    expect(kept).not.toContain(adminToken)
    await page.getByRole('button', { name: 'Administrator' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL((url) => url.pathname === '/sign-in')
    await another.reload()
    await another.waitForURL((url) => url.pathname === '/sign-in')
    await page.context().close()
  })

  it('does not redirect to another site after the sign-in', async () => {
    const { page } = await dashboard.openSignedOut('/sign-in?next=//evil.example/x')
    await dashboard.signIn(page)
    expect(page.url()).toBe(`${dashboard.server.url}/`)
    await page.context().close()
  })

  it('opens screens, projects and themes by the command palette', async () => {
    const { page, problems } = await dashboard.open(`/projects/${projectId}`)
    await heading(page, 'Overview').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('A screen, a project').fill('trac')
    await page.keyboard.press('Enter')
    await heading(page, 'Traces').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('A screen, a project').fill('beta')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Beta' }).waitFor()
    await page.goBack()
    await heading(page, 'Traces').waitFor()
    const light = await background(page)
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('A screen, a project').fill('dark theme')
    await page.keyboard.press('Enter')
    await expect.poll(() => background(page)).not.toBe(light)
    await page.reload()
    await heading(page, 'Traces').waitFor()
    expect(await background(page)).not.toBe(light)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('finds chats, suites, versions and sessions of a project by the command palette', async () => {
    const client = createClient({ baseUrl: dashboard.server.url, adminToken })
    const { project_id: named } = await client.console.projects.create({ name: 'Named things' })
    const { api_key: apiKey } = await client.console.keys.createForProject(named)
    const own = createClient({ baseUrl: dashboard.server.url, apiKey })
    await client.console.chats.create(named, { title: 'Harbour handbook' })
    await own.testing.suites.create(named, { name: 'Ferry questions' })
    await own.versions.publish(named, { version: '3.1.4', config: { model: 'm' } })
    await own.traces.create(named, { input: 'i', output: 'o', session_id: 'visit-77' })
    const { page, problems } = await dashboard.open(`/projects/${named}`)
    for (const [typed, title] of [
      ['harb', 'Harbour handbook'],
      ['ferry', 'Ferry questions'],
      ['3.1', '3.1.4'],
      ['visit', 'visit-77'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('A screen, a project').fill(typed)
      await page.getByRole('option', { name: title }).click()
      await heading(page, title).waitFor()
    }
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('says once that the server does not respond, and continues when it responds', async () => {
    const { page } = await dashboard.open('/')
    await page.getByRole('row', { name: /Alpha/ }).waitFor()
    await page.route('**/v1/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Alpha' }).first().click()
    await page.getByText('No connection to the server.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    await expectAccessible(page)
    await page.unroute('**/v1/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Alpha' }).waitFor()
    await page.getByText('No connection to the server.').waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('can be used by keyboard only', async () => {
    const { page } = await dashboard.open('/')
    await page.getByRole('row', { name: /Alpha/ }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Beta' }).waitFor()
    const account = page.getByRole('button', { name: 'Administrator' })
    for (const key of ['ArrowDown', 'Enter']) {
      await account.focus()
      await page.keyboard.press(key)
      await page.getByRole('menu').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('menuitemcheckbox')
      await page.keyboard.press('Escape')
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Administrator')
    }
    await page.context().close()
  })

  it('opens its navigation on a phone by a button', async () => {
    const { page } = await dashboard.open(`/projects/${projectId}`, { width: 390 })
    await heading(page, 'Overview').waitFor()
    await expectAccessible(page)
    expect(await page.getByRole('link', { name: 'Traces' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await page.getByRole('link', { name: 'Traces' }).click()
    await heading(page, 'Traces').waitFor()
    expect(await page.getByRole('link', { name: 'Traces' }).count()).toBe(0)
    await page.context().close()
  })

  it('reports unknown paths, and shows error messages of the server', async () => {
    const { page } = await dashboard.open('/projects/proj_unknown')
    await page.getByRole('alert').getByText('project not found').waitFor()
    await page.goto(`${dashboard.server.url}/projects/${projectId}/nothing-here`)
    await page.getByText('This page does not exist').waitFor()
    await expectAccessible(page)
    await page.goto(`${dashboard.server.url}/nothing-here`)
    await page.getByText('This page does not exist').waitFor()
    await expectAccessible(page)
    await page.context().close()
  })

  it('loads few scripts for the first screen; the scripts of menus load when the first menu is opened', async () => {
    const { page, problems } = await dashboard.open('/sign-in')
    const scripts: string[] = []
    let bytes = 0
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    network.on('Network.responseReceived', ({ type, response }) => {
      if (type === 'Script') scripts.push(response.url)
    })
    network.on('Network.dataReceived', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await page.goto(dashboard.server.url)
    await page.getByRole('row', { name: /Alpha/ }).waitFor()
    expect(scripts.length).toBeLessThan(7)
    expect(bytes).toBeLessThan(150_000)
    expect(scripts.filter((url) => url.includes('overlays'))).toEqual([])
    await page.getByRole('button', { name: 'Administrator' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    expect(scripts.filter((url) => url.includes('overlays'))).toHaveLength(1)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('loads the script of a menu again after a failure', async () => {
    const { page } = await dashboard.open('/')
    const menu = page.getByRole('button', { name: 'Administrator' })
    await page.route('**/assets/overlays-*.js', (route) => route.abort())
    await menu.click()
    await page.getByText('This screen could not be shown').waitFor()
    await page.unroute('**/assets/overlays-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await menu.click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await page.context().close()
  })

  it('requests traces in parallel to the script of their screen', async () => {
    const { page, problems } = await dashboard.open(`/projects/${projectId}`)
    await heading(page, 'Overview').waitFor()
    const asked = page.waitForRequest((request) => request.url().includes('view=preview'))
    await page.route('**/assets/traces-page-*.js', async (route) => {
      await asked
      await route.continue()
    })
    await page.getByRole('link', { name: 'Traces' }).click()
    await page.getByText('No traces yet').waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })
})
