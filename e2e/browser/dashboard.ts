import type { Browser, Page } from 'playwright-core'
import { adminToken, type Server, startServer } from '../support/server.ts'
import { launchChromium } from './chromium.ts'

/** What a page did that a clean one does not: errors, warnings, requests to elsewhere. */
export interface Screen {
  page: Page
  problems: string[]
}

export interface ScreenOptions {
  dark?: boolean
  width?: number
  height?: number
}

/** A server and a browser that is signed in to its dashboard. */
export class Dashboard {
  readonly server: Server
  readonly #browser: Browser

  private constructor(server: Server, browser: Browser) {
    this.server = server
    this.#browser = browser
  }

  static async start(env: Record<string, string> = {}, ...chromiumArgs: string[]): Promise<Dashboard> {
    const [server, browser] = await Promise.all([startServer({ env }), launchChromium(...chromiumArgs)])
    return new Dashboard(server, browser)
  }

  async stop(): Promise<void> {
    await this.#browser.close()
    await this.server.stop()
  }

  /** A new window, with cookies and storage of its own, that nobody has signed in to. */
  async openSignedOut(
    path: string,
    { dark, width = 1440, height = 900 }: ScreenOptions = {},
  ): Promise<Screen> {
    const context = await this.#browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      locale: 'en-US',
      timezoneId: 'UTC',
    })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (!['data:', 'blob:'].includes(protocol) && origin !== this.server.url) {
        problems.push(`request to ${origin}`)
      }
    })
    await page.goto(this.server.url + path)
    return { page, problems }
  }

  /** A new window at a place of the dashboard. */
  async open(path: string, options: ScreenOptions = {}): Promise<Screen> {
    const screen = await this.openSignedOut(`/sign-in?next=${encodeURIComponent(path)}`, options)
    await screen.page.getByLabel('Admin token').fill(adminToken)
    await screen.page.getByRole('button', { name: 'Sign in' }).click()
    await screen.page.waitForURL((url) => url.pathname !== '/sign-in')
    return screen
  }
}
