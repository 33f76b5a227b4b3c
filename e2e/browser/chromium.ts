import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = [
  process.env.CHROMIUM,
  // Opens a page for a third of the processor time that the whole browser takes.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A browser of this machine; undefined when there is none. `CHROMIUM` names one elsewhere. */
export const chromiumPath = places.find((place) => place && existsSync(place))

/** WebGL without a graphics card. */
export const softwareWebgl = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']

/** Nothing is asked of the outside world, not even by the browser itself. */
export function launchChromium(...args: string[]): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath && { executablePath: chromiumPath }),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  })
}
