import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shellBlock } from '../http/readme.ts'
import { DatabaseLine } from '../support/database-line.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath } from './chromium.ts'
import { Dashboard } from './dashboard.ts'

const readmeFile = new URL('../../README.md', import.meta.url)

const rows = (page: Page) => page.getByRole('table', { name: 'Health' }).locator('tbody tr')
const health = (page: Page) => rows(page).getByText('Healthy').nth(1)

describe.skipIf(!chromiumPath)('the page of the server', () => {
  let dashboard: Dashboard

  beforeAll(async () => {
    // A name other than localhost, because browsers are stricter there with plain http.
    dashboard = await Dashboard.start({}, '--host-resolver-rules=MAP cairn.test 127.0.0.1')
  })
  afterAll(() => dashboard?.stop())

  it.each([{ dark: false }, { dark: true }])(
    'shows the health of the server; dark: $dark',
    async ({ dark }) => {
      const { page, problems } = await dashboard.open('/server', { dark })
      await health(page).waitFor()
      expect(await rows(page).allInnerTexts()).toEqual([
        expect.stringMatching(/Server\s+Healthy\s+Version \d+\.\d+\.\d+, responded in \d+ ms/),
        expect.stringMatching(/Database\s+Healthy/),
        expect.stringMatching(/Models\s+Local/),
      ])
      const [background = '', text = ''] = await page.evaluate<string[]>(
        '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]',
      )
      expect(luminance(text) > luminance(background)).toBe(dark)
      await expectAccessible(page)
      expect(problems).toEqual([])
      await page.context().close()
    },
  )

  it('fits a phone', async () => {
    const { page, problems } = await dashboard.open('/server', { width: 390 })
    await health(page).waitFor()
    await expectAccessible(page)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('shows the commands of the README with the address of the server, and copies them', async () => {
    const { page } = await dashboard.open('/server')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy all commands' }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    const readme = shellBlock(readFileSync(readmeFile, 'utf8'), 'CAIRN=')
    const withoutComments = readme.replace(/^#.*\n/gm, '').replace(/^\n/gm, '')
    expect(copied).toBe(withoutComments.replace('http://127.0.0.1:8000', dashboard.server.url))
    await page.context().close()
  })

  it('shows a remedy while the server does not respond, and recovers automatically', async () => {
    const { page } = await dashboard.open('/server')
    await health(page).waitFor()
    await page.route('**/v1/health', (route) => route.abort())
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('npm start')
    expect(await rows(page).first().innerText()).toMatch(/No response\s+Version .* at its last response/)
    await page.unroute('**/v1/health')
    await health(page).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.context().close()
  })

  it('keeps loaded data if a later read fails, with the error above it', async () => {
    const { page } = await dashboard.open('/server/load')
    const limits = page.getByRole('table', { name: 'Limits' })
    await limits.waitFor()
    await page.route('**/v1/console/server', (route) => route.abort())
    const alert = page.getByRole('alert')
    await alert.getByText('The queues and limits could not be loaded').waitFor()
    expect(await limits.isVisible()).toBe(true)
    await page.unroute('**/v1/console/server')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await alert.waitFor({ state: 'detached' })
    expect(await limits.isVisible()).toBe(true)
    await page.context().close()
  })

  it('reports an unreachable database', async () => {
    const { page } = await dashboard.open('/')
    const services = { database: 'unhealthy', models: 'local' }
    const answer = { status: 'unhealthy', timestamp: new Date().toISOString(), version: '9.9.9', services }
    await page.route('**/v1/health', (route) => route.fulfill({ status: 503, json: answer }))
    await page.getByRole('link', { name: 'Server' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('DATABASE_URL')
    expect(await rows(page).allInnerTexts()).toEqual([
      expect.stringMatching(/Server\s+Unhealthy\s+Version 9\.9\.9/),
      expect.stringMatching(/Database\s+Unhealthy/),
      expect.stringMatching(/Models\s+Local/),
    ])
    await page.context().close()
  })

  it('shows a restart with its reason, and memory past the budget', async () => {
    const env = { CAIRN_SUPERVISOR: 'on', CAIRN_MEMORY_BYTES: '1048576' }
    const supervised = await Dashboard.start(env)
    const { page, problems } = await supervised.open('/server')
    const process = page.getByRole('region', { name: 'Process' })
    await process.getByText(/^\d+ MB of 1\.0 MB$/).waitFor()
    expect(await process.getByText(/Restarted/).count()).toBe(0)
    supervised.server.signal('SIGKILL')
    // The page reads again automatically, from the restarted server.
    await process.getByText('Restarted 1 time').waitFor()
    expect(await process.innerText()).toMatch(/The last process ended by SIGKILL, (now|.* ago)\./)
    await page.getByText('The server does not respond').waitFor({ state: 'detached' })
    await expectAccessible(page)
    expect(problems.filter((problem) => !problem.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
    await supervised.stop()
  })

  it.each([{ width: 1440 }, { width: 390 }])('shows queues and limits at a width of $width', async (size) => {
    const { page, problems } = await dashboard.open('/server', size)
    await page.getByRole('link', { name: 'Load' }).click()
    const limit = page
      .getByRole('table', { name: 'Limits' })
      .getByRole('row', { name: /CAIRN_MAX_FILE_BYTES/ })
    await limit.waitFor()
    expect(await limit.innerText()).toMatch(
      /Maximum size of an uploaded file\.\s+CAIRN_MAX_FILE_BYTES\s+5\.2 MB/,
    )
    await page.getByRole('heading', { name: 'Queues' }).waitFor()
    await expectAccessible(page)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it.skipIf(!hasRedis)('shows Redis if it is configured, reachable or not', async () => {
    const redis = await startRedis()
    const line = await DatabaseLine.to(redis.url)
    const shared = await Dashboard.start({ REDIS_URL: line.url })
    const { page } = await shared.open('/server')
    const row = page.getByRole('row', { name: /^Redis/ })
    await row.getByText('Healthy', { exact: true }).waitFor()
    expect(await row.innerText()).toMatch(/Redis\s+Healthy\s+Counts rate limits for all processes/)
    line.cut()
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Refresh' }).click()
        return row.innerText()
      })
      .toMatch(/Redis\s+Unhealthy\s+Does not respond\. Each process counts rate limits for itself/)
    // No immediate action is needed, because everything else works.
    expect(await page.getByRole('alert').count()).toBe(0)
    await expectAccessible(page)
    await shared.stop()
    line.close()
    await redis.stop()
  })

  it.each(['/', '/docs'])('works over plain http under a host name of the network: %s', async (path) => {
    const { page } = await dashboard.openSignedOut(path, { host: 'cairn.test' })
    if (path === '/docs') await page.locator('.opblock').first().waitFor({ timeout: 20_000 })
    else {
      await dashboard.signIn(page)
      await page.getByRole('button', { name: 'Start with a first project' }).click()
      // Browsers disable parts of their API over plain http.
      await page.getByRole('button', { name: 'Try it with sample documents' }).click()
      await page.getByRole('button', { name: 'Ask' }).click()
      await page.getByText('27 days of paid leave').first().waitFor()
    }
    await page.context().close()
  })

  it('renders the operations of the API reference', async () => {
    const { page, problems } = await dashboard.openSignedOut('/docs')
    // The page renders only visible parts; the rest appears on scrolling.
    await page.locator('.opblock', { hasText: '/v1/health' }).waitFor()
    await page.locator('.opblock', { hasText: 'Record a trace' }).waitFor()
    await page.getByLabel('Select a definition').selectOption({ label: 'Console' })
    await page.locator('.opblock', { hasText: 'Create a project' }).waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })
})

/** Relative brightness of a CSS colour such as `rgb(21, 22, 20)`, 0 to 765. */
function luminance(color: string): number {
  return (color.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)
}
