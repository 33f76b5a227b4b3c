import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createClient } from '@cairn/sdk'
import { softwareWebgl } from '../e2e/browser/chromium.ts'
import { Dashboard, type ScreenOptions } from '../e2e/browser/dashboard.ts'
import { makeSample, screens } from '../e2e/browser/screens.ts'
import { adminToken } from '../e2e/support/server.ts'

/*
 * Takes screenshots of every screen of the dashboard, for its developers: light, dark, and phone size.
 *
 *   node scripts/screenshots.ts [--only=<part of a name>] [--out=<folder>]
 *   node scripts/screenshots.ts --guides      takes the screenshots of docs/guides
 */
const { values } = parseArgs({
  options: { only: { type: 'string' }, out: { type: 'string' }, guides: { type: 'boolean' } },
})
const guides = fileURLToPath(new URL('../docs/guides/screens', import.meta.url))
const out = values.out ?? (values.guides ? guides : 'screenshots')
const variants: readonly (ScreenOptions & { suffix: string })[] = values.guides
  ? [{ suffix: '' }]
  : [{ suffix: '-light' }, { suffix: '-dark', dark: true }, { suffix: '-phone', width: 390, height: 844 }]
const wanted = screens.filter(
  ({ name, inGuides }) => name.includes(values.only ?? '') && (!values.guides || inGuides),
)
if (wanted.length === 0) throw new Error('no screen has such a name')

mkdirSync(out, { recursive: true })
const dashboard = await Dashboard.start({}, ...softwareWebgl)
try {
  const client = createClient({ baseUrl: dashboard.server.url, adminToken })
  const sample = await makeSample(client, dashboard.server.url)
  for (const { name, path, prepare } of wanted) {
    for (const { suffix, ...options } of variants) {
      const { page, problems } = await dashboard.open(path(sample), options)
      try {
        await prepare(page, sample)
      } catch (error) {
        process.exitCode = 1
        console.error(`${name}${suffix}: ${(error as Error).message.split('\n')[0]}`)
      }
      // Waits until animations have ended.
      await page.waitForTimeout(300)
      await page.screenshot({ path: `${out}/${name}${suffix}.png` })
      console.log(`${out}/${name}${suffix}.png${problems.length > 0 ? `: ${problems.join('; ')}` : ''}`)
      await page.context().close()
    }
  }
} finally {
  await dashboard.stop()
}
