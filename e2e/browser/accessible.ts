import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Resolves when the page has its heading and no placeholder is left. `waitForFunction` would need `unsafe-eval`. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await expect.poll(() => page.locator('.animate-pulse').count(), { timeout: 20_000 }).toBe(0)
}

/** Expects that the page violates no automatically testable rule of WCAG 2.2 AA, and does not scroll horizontally. */
export async function expectAccessible(page: Page): Promise<void> {
  await settled(page)
  // The script stays until the page is loaded again.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  // Details of passing nodes, and style sheets loaded again for rules that do not run, would take a third of the time.
  const found = (await page.evaluate(
    `axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
      preload: false,
    }).then(({ violations, passes }) => ({
      passes: passes.length,
      violations: violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, any, all, none }) =>
        html.slice(0, 200) + ' — ' + [...any, ...all, ...none].map(({ message }) => message).join('; ')).join('\\n')),
    }))`,
  )) as { passes: number; violations: string[] }
  expect(found.violations).toEqual([])
  expect(found.passes).toBeGreaterThan(5)
  const [scrolled, shown] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number]
  expect(scrolled).toBeLessThanOrEqual(shown)
}
