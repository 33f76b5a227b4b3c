import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { adminToken } from './server.ts'

/** Path of Chromium; the environment variable `CHROMIUM` overrides it. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Opens a signed-in browser window with an empty cache, and closes it after the work. */
export type OpenWindow = <T>(work: (page: Page) => Promise<T>) => Promise<T>

/** Runs work with windows of one browser that are signed in to the dashboard of a server. */
export async function withBrowser<T>(url: string, work: (open: OpenWindow) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
    ],
  })
  try {
    const first = await browser.newContext()
    await signIn(first, url)
    const storageState = await first.storageState()
    await first.close()
    return await work(async (inside) => {
      const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } })
      try {
        return await inside(await context.newPage())
      } finally {
        await context.close()
      }
    })
  } finally {
    await browser.close()
  }
}

async function signIn(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel('Admin token').fill(adminToken)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
}

/** Milliseconds from opening a page to the frame that contains an element. */
export async function msUntil(page: Page, address: string, selector: string): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' })
  return (await page.evaluate(`new Promise((resolve) => {
    const look = () => document.querySelector(${JSON.stringify(selector)})
      ? resolve(performance.now()) : requestAnimationFrame(look)
    look()
  })`)) as number
}

/** Milliseconds from a click to the frame that contains an element. */
export async function msFromClick(page: Page, clicked: string, selector: string): Promise<number> {
  return (await page.evaluate(`new Promise((resolve) => {
    const from = performance.now()
    const look = () => document.querySelector(${JSON.stringify(selector)})
      ? resolve(performance.now() - from) : requestAnimationFrame(look)
    document.querySelector(${JSON.stringify(clicked)}).click()
    requestAnimationFrame(look)
  })`)) as number
}

/** Counts the bytes of scripts on the wire from now on. */
export async function countScripts(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page)
  const scripts = new Set<string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  await session.send('Network.enable')
  return () => bytes
}
