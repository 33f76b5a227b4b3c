import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shellBlock } from '../http/readme.ts'
import { type Server, startServer } from '../support/server.ts'
import { chromiumPath, launchChromium } from './chromium.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

if (!chromiumPath) {
  console.warn('skipped: no Chromium on this machine (apt-get install chromium, or name one in CHROMIUM)')
}

/** What a page did that a clean one does not. */
interface Watched {
  page: Page
  problems: string[]
}

describe.skipIf(!chromiumPath)('the first page', () => {
  let server: Server
  let browser: Browser

  beforeAll(async () => {
    // `npm test` has built it; this is for a suite that is run by itself.
    if (!existsSync(`${root}/web/dist/index.html`)) execFileSync('npm', ['run', 'build'], { cwd: root })
    server = await startServer()
    // A name that is not localhost: browsers are stricter with plain http there.
    browser = await launchChromium('--host-resolver-rules=MAP cairn.test 127.0.0.1')
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  async function open(options: { dark?: boolean; width?: number } = {}): Promise<Watched> {
    const page = await browser.newPage({
      viewport: { width: options.width ?? 1440, height: 900 },
      colorScheme: options.dark ? 'dark' : 'light',
    })
    const problems: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (protocol !== 'data:' && origin !== server.url) problems.push(`request to ${origin}`)
    })
    return { page, problems }
  }

  const rows = (page: Page) => page.locator('table.health tbody tr')

  describe.each([{ dark: false }, { dark: true }])('dark: $dark', ({ dark }) => {
    it('shows the health of the server, without an error or a request elsewhere', async () => {
      const { page, problems } = await open({ dark })
      await page.goto(server.url)
      await rows(page).getByText('Healthy').nth(1).waitFor()
      expect(await rows(page).allInnerTexts()).toEqual([
        expect.stringMatching(/Server\s+Healthy\s+Version \d+\.\d+\.\d+, answered in \d+ ms/),
        expect.stringMatching(/Database\s+Healthy/),
        expect.stringMatching(/Models\s+Local/),
      ])
      const [background = '', text = ''] = await page.evaluate<string[]>(
        '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]',
      )
      expect(luminance(text) > luminance(background)).toBe(dark)
      expect(problems).toEqual([])
      await page.close()
    })

    it('renders the operations of the API reference', async () => {
      const { page, problems } = await open({ dark })
      await page.goto(`${server.url}/docs`)
      // The page renders what is in sight; the rest comes as one scrolls.
      await page.locator('.opblock', { hasText: '/v1/health' }).waitFor()
      await page.locator('.opblock', { hasText: 'Create a project' }).waitFor()
      expect(problems).toEqual([])
      await page.close()
    })
  })

  it('fits a phone', async () => {
    const { page, problems } = await open({ width: 390 })
    await page.goto(server.url)
    await rows(page).getByText('Healthy').nth(1).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(problems).toEqual([])
    await page.close()
  })

  it('links to the API reference and the OpenAPI document', async () => {
    const { page } = await open()
    await page.goto(server.url)
    const anchors = await page.locator('nav a').all()
    const paths = await Promise.all(anchors.map((anchor) => anchor.getAttribute('href')))
    const links = paths.map((path) => new URL(path ?? '', server.url).href)
    expect(links).toEqual(expect.arrayContaining([`${server.url}/docs`, `${server.url}/openapi.json`]))
    for (const link of links) {
      const response = await fetch(link)
      // Read to the end: a connection with an unread answer would hold up the server's stop.
      await response.text()
      expect(response.status, link).toBe(200)
    }
    await page.close()
  })

  it('shows the commands of the README with its own address, and copies them', async () => {
    const { page } = await open()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(server.url)
    await page.getByRole('button', { name: 'Copy all commands' }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    const readme = shellBlock(readFileSync(`${root}/README.md`, 'utf8'), 'CAIRN=')
    const withoutComments = readme.replace(/^#.*\n/gm, '').replace(/^\n/gm, '')
    expect(copied).toBe(withoutComments.replace('http://127.0.0.1:8000', server.url))
    await page.close()
  })

  it('says what to do when the server does not answer, and recovers by itself', async () => {
    const { page } = await open()
    await page.goto(server.url)
    await rows(page).getByText('Healthy').nth(1).waitFor()
    await page.route('**/v1/health', (route) => route.abort())
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('npm start')
    expect(await rows(page).first().innerText()).toMatch(/No answer\s+Version .* when it last answered/)
    await page.unroute('**/v1/health')
    await rows(page).getByText('Healthy').nth(1).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.close()
  })

  it('says so when the database is down', async () => {
    const { page } = await open()
    const services = { database: 'unhealthy', models: 'local' }
    const health = { status: 'unhealthy', timestamp: new Date().toISOString(), version: '9.9.9', services }
    await page.route('**/v1/health', (route) => route.fulfill({ status: 503, json: health }))
    await page.goto(server.url)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('DATABASE_URL')
    expect(await rows(page).allInnerTexts()).toEqual([
      expect.stringMatching(/Server\s+Unhealthy\s+Version 9\.9\.9/),
      expect.stringMatching(/Database\s+Unhealthy/),
      expect.stringMatching(/Models\s+Local/),
    ])
    await page.close()
  })

  it.each(['/', '/docs'])('works over plain http under a name of the network: %s', async (path) => {
    const { page } = await open()
    await page.goto(server.url.replace('127.0.0.1', 'cairn.test') + path)
    await page
      .locator(path === '/' ? 'table.health .mark.success' : '.opblock')
      .first()
      .waitFor({ timeout: 20_000 })
    await page.close()
  })
})

/** Relative brightness of a CSS colour such as `rgb(21, 22, 20)`, 0 to 765. */
function luminance(color: string): number {
  return (color.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)
}
