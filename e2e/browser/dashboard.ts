import type { Browser, Page } from 'playwright-core'
import { adminToken, type Server, startServer } from '../support/server.ts'
import { launchChromium } from './chromium.ts'

/** Problems of a page: errors, warnings, and requests to other hosts. */
export interface Screen {
  page: Page
  problems: string[]
}

export interface ScreenOptions {
  dark?: boolean
  width?: number
  height?: number
  /** A host name of the server, which the browser resolves. */
  host?: string
  /** The time that the page's clock shows, in milliseconds since the Unix epoch; default: the real time. */
  now?: number | undefined
}

/** A server, and a browser that is signed in to its dashboard. */
export class Dashboard<Of extends { url: string } = Server> {
  readonly server: Of
  readonly #browser: Browser

  /** The session cookie, which all windows share. */
  readonly #session: string
  readonly #stopServer: () => Promise<unknown>

  private constructor(server: Of, browser: Browser, session: string, stopServer: () => Promise<unknown>) {
    this.server = server
    this.#browser = browser
    this.#session = session
    this.#stopServer = stopServer
  }

  /** Starts a server and a browser. */
  static async start(env: Record<string, string> = {}, ...chromium: string[]): Promise<Dashboard> {
    const [server, browser] = await Promise.all([startServer({ env }), launchChromium(...chromium)])
    return new Dashboard(server, browser, await newSession(server.url), () => server.stop())
  }

  /** Starts a browser for a running server, which goes on running. */
  static async of<Of extends { url: string }>(server: Of): Promise<Dashboard<Of>> {
    return new Dashboard(server, await launchChromium(), await newSession(server.url), async () => {})
  }

  async stop(): Promise<void> {
    await this.#browser.close()
    await this.#stopServer()
  }

  /** A new window with separate cookies and storage, not signed in. */
  openSignedOut(path: string, options: ScreenOptions = {}): Promise<Screen> {
    return this.#open(path, options, undefined)
  }

  /** A new window at a path of the dashboard, signed in. */
  open(path: string, options: ScreenOptions = {}): Promise<Screen> {
    return this.#open(path, options, this.#session)
  }

  async #open(
    path: string,
    { dark, width = 1440, height = 900, host = '127.0.0.1', now }: ScreenOptions,
    session: string | undefined,
  ): Promise<Screen> {
    const context = await this.#browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      // Disables animations.
      reducedMotion: 'reduce',
      locale: 'en-US',
      timezoneId: 'UTC',
    })
    const { url } = this.server
    if (session !== undefined) {
      await context.addCookies([
        { name: 'cairn_session', value: session, url, httpOnly: true, sameSite: 'Strict' },
      ])
    }
    const page = await context.newPage()
    if (now !== undefined) await page.clock.setFixedTime(now)
    const problems: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (!['data:', 'blob:'].includes(protocol) && origin !== url) {
        problems.push(`request to ${origin}`)
      }
    })
    await page.goto(url.replace('127.0.0.1', host) + path)
    // Waits for the frame only; the screen may still load data.
    if (session !== undefined) await page.locator('main').first().waitFor()
    return { page, problems }
  }

  /** Signs in on the sign-in page. */
  async signIn(page: Page): Promise<void> {
    await page.getByLabel('Admin token').fill(adminToken)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.pathname !== '/sign-in')
  }
}

async function newSession(url: string): Promise<string> {
  const headers = { 'x-admin-token': adminToken }
  const answer = await fetch(`${url}/v1/console/session`, { method: 'POST', headers })
  await answer.text()
  return /^cairn_session=(\w+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? ''
}
