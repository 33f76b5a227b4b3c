import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shellBlock } from '../http/readme.ts'
import { type Example, startExample } from '../support/example.ts'
import { freePort } from '../support/free-port.ts'
import { type Server, startServer } from '../support/server.ts'
import { chromiumPath, launchChromium } from './chromium.ts'

const guide = readFileSync(fileURLToPath(new URL('../../docs/guides/sign-in.md', import.meta.url)), 'utf8')

/** The browser of a person, with its recorded requests. */
interface Visitor {
  context: BrowserContext
  page: Page
  problems: string[]
  requests: Request[]
  /** ID tokens that the provider has issued. */
  tokens: string[]
}

describe.skipIf(!chromiumPath)('the example of the sign-in guide, with a real provider', () => {
  let provider: Example
  let server: Server
  let app: Example
  let browser: Browser

  beforeAll(async () => {
    const origin = `http://127.0.0.1:${await freePort()}`
    const { PORT, REDIRECT_URI } = { PORT: '0', REDIRECT_URI: `${origin}/` }
    const env = { CAIRN_ADMIN_TOKEN: undefined, CAIRN_CORS_ORIGINS: origin }
    ;[browser, provider, server] = await Promise.all([
      launchChromium(),
      startExample('sign-in/provider.ts', { PORT, REDIRECT_URI }),
      startServer({ env }),
    ])
    const APP_ID = await register()
    const settings = { APP_ID, CAIRN: server.url, ISSUER: provider.url, PORT: new URL(origin).port }
    app = await startExample('sign-in/serve.ts', settings)
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([app?.stop(), server?.stop(), provider?.stop()])
  })

  /** Runs the commands of the guide with other addresses and another path of the token. */
  async function register(): Promise<string> {
    const here = [
      ['http://127.0.0.1:8000', server.url],
      ['http://127.0.0.1:9000', provider.url],
      ['data/admin-token', `${server.dataDir}/admin-token`],
    ] as const
    let script = shellBlock(guide, 'CAIRN=')
    for (const [from, to] of here) {
      expect(script).toContain(from)
      script = script.replace(from, to)
    }
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script])
    return stdout.trim()
  }

  async function visit(options: { dark?: boolean; width?: number } = {}): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1440, height: 900 },
      colorScheme: options.dark ? 'dark' : 'light',
    })
    context.setDefaultTimeout(20_000)
    const page = await context.newPage()
    const visitor: Visitor = { context, page, problems: [], requests: [], tokens: [] }
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) visitor.problems.push(message.text())
    })
    page.on('pageerror', (error) => visitor.problems.push(error.message))
    page.on('request', (request) => visitor.requests.push(request))
    page.on('response', async (response) => {
      if (new URL(response.url()).pathname !== '/token' || !response.ok()) return
      if (response.request().method() === 'POST') visitor.tokens.push((await response.json()).id_token)
    })
    await page.goto(app.url)
    return visitor
  }

  async function signIn(name: string, options?: Parameters<typeof visit>[0]): Promise<Visitor> {
    const visitor = await visit(options)
    const { page } = visitor
    await page.getByRole('button', { name: 'Sign in' }).click()
    await nameYourself(page, name)
    await page.getByText(name, { exact: true }).waitFor()
    expect(page.url()).toBe(app.url)
    return visitor
  }

  async function nameYourself(page: Page, name: string): Promise<void> {
    await page.getByLabel('Your name').fill(name)
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  const files = (page: Page) => page.getByRole('list', { name: 'Files' }).getByRole('listitem')

  async function upload(page: Page, name: string, text: string): Promise<void> {
    await page
      .getByLabel('Add files')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await files(page).filter({ hasText: name }).waitFor()
  }

  /** Waits for the complete newest answer. */
  async function ask(page: Page, question: string): Promise<string> {
    await page.getByLabel('Your question').fill(question)
    await page.getByRole('button', { name: 'Ask' }).click()
    const turn = page.getByRole('article').last()
    await turn.getByRole('heading', { name: question }).waitFor()
    await turn.locator('.answer[aria-busy=false]').waitFor()
    return turn.locator('.answer').innerText()
  }

  const question = 'Where is the spare key of the boathouse?'
  const notes =
    'The spare key of the boathouse hangs behind the <b>blue door</b>. The boat is washed in May.\n'
  const nothing = /nothing relevant/i

  it('signs in, uploads, asks, deletes, and signs out; no other user can read the data', async () => {
    const anna = await signIn('anna')
    const { page } = anna
    await page.getByText('You have no files yet.').waitFor()
    await upload(page, 'notes.txt', notes)

    const streamed = page.waitForResponse('**/v1/me/chats/query')
    expect(await ask(page, question)).toContain('behind the <b>blue door</b>')
    expect((await streamed).headers()['content-type']).toContain('text/event-stream')
    await page.getByRole('button', { name: 'Source 1' }).click()
    const source = page.getByRole('group').filter({ hasText: '1. notes.txt' })
    expect(await source.locator('blockquote').innerText()).toContain('blue door')

    const good = page.getByRole('button', { name: 'Good answer' })
    await good.click()
    await page.locator('[aria-pressed=true]').waitFor()
    await good.click()
    await page.locator('[aria-pressed=true]').waitFor({ state: 'detached' })

    const ben = await signIn('ben')
    await ben.page.getByText('You have no files yet.').waitFor()
    expect(await ask(ben.page, question)).toMatch(nothing)
    expect(await ben.page.getByRole('group').count()).toBe(0)
    await ben.context.close()

    page.on('dialog', (dialog) => dialog.accept())
    await page.getByRole('button', { name: 'Delete notes.txt' }).click()
    await page.getByText('You have no files yet.').waitFor()
    expect(await ask(page, question)).toMatch(nothing)

    await expectTokenInMemoryAlone(anna)
    await page.getByRole('button', { name: 'Sign out' }).click()
    // The provider asks for credentials, because it has no session.
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Your name').waitFor()
    expect(anna.problems).toEqual([])
    expect(ben.problems).toEqual([])
    expectNoTokenInAddresses(anna)
    await anna.context.close()
  })

  /** Expects that the token came by the code flow with PKCE, and that no storage contains it. */
  async function expectTokenInMemoryAlone({ context, page, requests, tokens }: Visitor): Promise<void> {
    const [token = ''] = tokens
    expect(tokens).toHaveLength(1)
    expect(token.split('.')).toHaveLength(3)
    const asked = requests.map((request) => new URL(request.url())).find((url) => url.pathname === '/auth')
    expect(Object.fromEntries(asked?.searchParams ?? [])).toMatchObject({
      response_type: 'code',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    const exchange = requests.find((request) => request.url() === `${provider.url}/token`)
    expect(new URLSearchParams(exchange?.postData() ?? '').get('code_verifier')).toMatch(/^[\w-]{43}$/)

    const stored = await page.evaluate<string>(
      `(async () => JSON.stringify([
        { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href,
        await indexedDB.databases(), await caches.keys(),
      ]))()`,
    )
    expect(JSON.parse(stored)).toEqual([{}, {}, '', null, app.url, [], []])
    expect(JSON.stringify(await context.storageState())).not.toContain(token)

    const bearers = requests.filter((request) => request.headers().authorization === `Bearer ${token}`)
    expect(bearers.length).toBeGreaterThan(4)
    expect([...new Set(bearers.map((request) => new URL(request.url()).origin))]).toEqual([server.url])
  }

  function expectNoTokenInAddresses({ requests, tokens }: Visitor): void {
    const urls = requests.map((request) => request.url()).filter((url) => !url.startsWith('data:'))
    expect(urls.filter((url) => tokens.some((token) => url.includes(token)))).toEqual([])
    const own = [new URL(app.url).origin, server.url, provider.url]
    expect(urls.filter((url) => !own.includes(new URL(url).origin))).toEqual([])
  }

  it('shows the error messages of the provider and of the server', async () => {
    const { page, context } = await visit()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('The sign-in was cancelled.').waitFor()
    expect(page.url()).toBe(app.url)

    await page.goto(`${app.url}?code=somebody-elses&state=theirs`)
    await page.getByText('That sign-in was not begun on this page.').waitFor()

    await page.getByRole('button', { name: 'Sign in' }).click()
    await nameYourself(page, 'carl')
    await page.getByText('You have no files yet.').waitFor()
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      for (const name of ['tool.exe', 'list.txt']) data.items.add(new File(['milk, ' + name], name))
      return data
    })()`)
    await page.locator('#drop').dispatchEvent('drop', { dataTransfer: dropped })
    await files(page).filter({ hasText: 'list.txt' }).waitFor()
    expect(await files(page).count()).toBe(1)
    expect(await page.getByRole('alert').innerText()).toMatch(/^tool\.exe: .*not supported/)
    await ask(page, 'Anything else?')
    expect(await page.getByRole('alert').innerText()).toBe('')
    await context.close()
  })

  it('rejects the response to another sign-in', async () => {
    const { page, context, requests } = await visit()
    const tampered = [
      ['state', /unexpected "state"/],
      ['nonce', /unexpected ID Token "nonce"/],
      ['code_challenge', /grant request is invalid/],
    ] as const
    for (const [name, message] of tampered) {
      await page.route(`${provider.url}/auth?*`, (route) => {
        const url = new URL(route.request().url())
        url.searchParams.set(name, 'A'.repeat(43))
        return route.continue({ url: url.href })
      })
      await page.getByRole('button', { name: 'Sign in' }).click()
      // The provider has her session after the first sign-in.
      if (name === 'state') await nameYourself(page, 'dora')
      await page.getByRole('alert').filter({ hasText: message }).waitFor()
      expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true)
      await page.unroute(`${provider.url}/auth?*`)
    }
    expect(requests.filter((request) => request.url().startsWith(server.url))).toEqual([])
    await context.close()
  })

  it('ends the session if the token is rejected', async () => {
    const { page, context } = await signIn('emil')
    const expired = { status: 401, json: { detail: 'Unauthorized: the token has expired' } }
    const headers = { 'access-control-allow-origin': new URL(app.url).origin }
    await page.route('**/v1/me/chats/query', (route) => route.fulfill({ ...expired, headers }))
    await page.getByLabel('Your question').fill('Anything?')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByText('Unauthorized: the token has expired').waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    // The provider still has his session.
    await page.getByText('emil', { exact: true }).waitFor()
    await context.close()
  })

  it('is allowed by its origin; a page of another origin is not', async () => {
    const { page, context } = await visit()
    const call = (origin: string) =>
      `fetch('${origin}/v1/health').then(({ status }) => status, () => 'refused')`
    expect(await page.evaluate(call(server.url))).toBe(200)
    await page.goto(`${provider.url}/.well-known/openid-configuration`)
    expect(await page.evaluate(call(server.url))).toBe('refused')
    expect(await page.evaluate(call(provider.url))).toBe(404)
    await context.close()
  })

  it('fits a phone, and is dark if the system prefers it', async () => {
    const { page, context, problems } = await signIn('fred', { dark: true, width: 390 })
    await upload(page, `${'a-very-long-name-'.repeat(6)}.txt`, notes)
    await ask(page, question)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(21, 22, 20)')
    expect(problems).toEqual([])
    await context.close()
  })
})
