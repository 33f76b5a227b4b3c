import { afterAll, beforeAll, describe, it } from 'vitest'
import { adminToken } from '../support/server.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath } from './chromium.ts'
import { Dashboard } from './dashboard.ts'

describe.skipIf(!chromiumPath)('signing in to the dashboard', () => {
  let dashboard: Dashboard

  beforeAll(async () => {
    dashboard = await Dashboard.start()
  })
  afterAll(() => dashboard?.stop())

  it('asks for the admin token, says when it is wrong, and leads back to the place that was asked for', async () => {
    const { page } = await dashboard.openSignedOut('/server')
    await page.waitForURL((url) => url.pathname === '/sign-in')
    await expectAccessible(page)
    await page.getByLabel('Admin token').fill('not-the-admin-token')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('the admin token is wrong').waitFor()
    await page.getByLabel('Admin token').fill(adminToken)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${dashboard.server.url}/server`)
    await page.getByRole('heading', { name: 'Server', exact: true }).waitFor()
    await page.context().close()
  })
})
