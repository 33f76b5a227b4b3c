import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedServer } from '../support/databases.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath } from './chromium.ts'
import { Dashboard } from './dashboard.ts'
import { createKnownProject, hour, iso, now } from './known-project.ts'
import { sampleChat } from './sample-analytics.ts'

/** Percentiles are within 1 % of the latencies. */
const around200 = /^(19[89]|20[0-2]) ms$/
const around1000 = /^(99\d ms|1\.0[01] s)$/

describe.skipIf(!chromiumPath)('analytics and the overview', () => {
  let dashboard: Dashboard<{ url: string }>
  let projectId: string
  let emptyId: string

  beforeAll(async () => {
    dashboard = await Dashboard.of(sharedServer('SQLite'))
    const { url } = dashboard.server
    const project = await createKnownProject(url)
    ;({ projectId, emptyId } = project)
    await sampleChat(project.admin, url, projectId)
  })
  afterAll(() => dashboard?.stop())

  const at = (path: string, id = projectId) => `/projects/${id}${path}`
  const open = (path: string, options = {}, id = projectId) =>
    dashboard.open(at(path, id), { ...options, now })
  const figure = (page: Page, label: string) => page.locator(`[data-figure="${label}"]`)
  const textOf = async (page: Page, label: string) =>
    (await figure(page, label).innerText()).replace(/\s+/g, ' ')
  const chart = (page: Page, title: string) => page.locator(`[data-chart="${title}"]`)
  const search = (page: Page) => new URL(page.url()).searchParams

  /** The middle of an hour of the last day in a chart, at a share of its height from the top. */
  async function pointOf(page: Page, title: string, ago: number, down: number) {
    const over = chart(page, title).locator('.u-over')
    await over.scrollIntoViewIfNeeded()
    const box = await over.boundingBox()
    if (!box) throw new Error(`no chart ${title}`)
    return { over, position: { x: (box.width * (24 - ago - 0.5)) / 24, y: box.height * down } }
  }

  /** Rows of a chart's table, as texts by time. */
  async function tableOf(page: Page, title: string): Promise<string[][]> {
    const table = chart(page, title).getByRole('table', { name: title })
    if ((await table.count()) === 0) {
      await page.getByRole('button', { name: `Show ${title} as table` }).click()
    }
    const rows = await table.locator('tbody tr').all()
    return Promise.all(
      rows.map(async (row) => (await row.innerText()).split('\t').map((cell) => cell.trim())),
    )
  }

  describe('analytics', () => {
    it('compare the figures of the period with the previous period', async () => {
      const { page, problems } = await open('/analytics?period=24h')
      await figure(page, 'Tokens').getByText('1,500').waitFor()
      // The figures of the previous period need a separate request.
      await figure(page, 'Traces').getByText('from 5').waitFor()
      expect(await textOf(page, 'Traces')).toMatch(/^Traces 15 200 % .*from 5$/)
      expect(await textOf(page, 'Error rate')).toMatch(/^Error rate 13 % new up, worse; 0 % before from 0 %$/)
      expect(await textOf(page, 'Latency p50')).toMatch(/^Latency p50 200 ms same .* from 200 ms$/)
      expect(await textOf(page, 'Cost')).toMatch(/^Cost \$0\.20 .*from \$0\.050$/)
      expect(problems).toEqual([])
      await page.context().close()
    })

    it('draw six charts whose values are also in a table; missing values are gaps', async () => {
      const { page, problems } = await open('/analytics?period=24h')
      await page.locator('canvas').nth(5).waitFor()
      const volume = await tableOf(page, 'Traces')
      expect(volume).toHaveLength(24)
      expect(volume[5]?.slice(1)).toEqual(['8', '2'])
      expect(volume[3]?.slice(1)).toEqual(['5', '0'])
      expect(volume[4]?.slice(1)).toEqual(['0', '0'])
      const latency = await tableOf(page, 'Latency')
      expect(latency[5]?.[1]).toMatch(around200)
      for (const high of [2, 3]) expect(latency[5]?.[high]).toMatch(around1000)
      expect(latency[4]?.slice(1)).toEqual(['–', '–', '–'])
      expect((await tableOf(page, 'Error rate'))[5]?.[1]).toBe('20 %')
      expect((await tableOf(page, 'Cost'))[3]?.[1]).toBe('$0.10')
      expect((await tableOf(page, 'Tokens'))[5]?.slice(1)).toEqual(['900', '100'])
      const scores = await tableOf(page, 'Scores')
      expect(scores.flatMap((row) => row.slice(1)).filter((text) => text !== '–')).toEqual(['0.50'])
      expect(problems).toEqual([])
      await page.context().close()
    })

    it('show all values at the cursor, and open the traces of a clicked interval', async () => {
      const { page, problems } = await open('/analytics?period=24h&environment=')
      await page.locator('canvas').nth(5).waitFor()
      const { over, position } = await pointOf(page, 'Traces', 5, 0.9)
      await over.hover({ position })
      const tooltip = await chart(page, 'Traces').locator('[data-tooltip]').innerText()
      expect(tooltip.replace(/\s+/g, ' ')).toMatch(/Successful 8 Errors 2 Total 10/)
      await over.click({ position })
      await page.waitForURL(/\/traces\?/)
      const clicked = Object.fromEntries(search(page))
      expect(clicked).toEqual({ status: 'success', start_date: iso(hour(5)), end_date: iso(hour(4)) })
      await page.goBack()
      const errors = await pointOf(page, 'Error rate', 5, 0.5)
      await errors.over.click({ position: errors.position })
      await page.waitForURL(/\/traces\?/)
      expect(search(page).get('status')).toBe('error')
      expect(problems).toEqual([])
      await page.context().close()
    })

    it('open the traces of a table row by keyboard', async () => {
      const { page } = await open('/analytics?period=24h&model=model-a')
      await page.locator('canvas').nth(4).waitFor()
      await page.getByRole('button', { name: 'Show Cost as table' }).press('Enter')
      await chart(page, 'Cost')
        .getByRole('button', { name: /^Traces of/ })
        .nth(5)
        .press('Enter')
      await page.waitForURL(/\/traces\?/)
      expect(Object.fromEntries(search(page))).toEqual({
        ...{ model: 'model-a', start_date: iso(hour(5)), end_date: iso(hour(4)) },
      })
      await page.context().close()
    })

    it('group by model and by a custom attribute, which the address contains', async () => {
      const { page, problems } = await open('/analytics?period=24h')
      await page.getByLabel('Group by').selectOption('model')
      await chart(page, 'Traces').getByText('model-b').waitFor()
      expect(search(page).get('group')).toBe('model')
      const volume = await tableOf(page, 'Traces')
      expect(volume[5]?.slice(1)).toEqual(['10', '0'])
      expect(volume[3]?.slice(1)).toEqual(['0', '5'])
      const { over, position } = await pointOf(page, 'Cost', 3, 0.9)
      await over.click({ position })
      await page.waitForURL(/\/traces\?/)
      expect(search(page).get('model')).toBe('model-b')
      await page.goBack()
      await page.getByLabel('Group by').selectOption('attr')
      await page.getByLabel('Attribute key').fill('plan')
      await page.keyboard.press('Enter')
      await chart(page, 'Traces').getByText('team').first().waitFor()
      expect(search(page).get('group')).toBe('attr.plan')
      await page.reload()
      await chart(page, 'Latency p95').getByText('team').waitFor()
      expect(problems).toEqual([])
      await page.context().close()
    })

    it('filter by chips, which the address contains', async () => {
      const { page } = await open('/analytics?period=24h')
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByLabel('Filter by').selectOption('model')
      await page.getByLabel('Value').fill('model-b')
      await page.getByRole('button', { name: 'Add filter' }).click()
      await figure(page, 'Traces').getByText('5', { exact: true }).waitFor()
      expect(search(page).get('model')).toBe('model-b')
      await page.reload()
      await figure(page, 'Traces').getByText('5', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Remove the filter Model: model-b' }).click()
      await figure(page, 'Traces').getByText('15', { exact: true }).waitFor()
      await page.goBack()
      await page.locator('[data-chip]').getByText('model-b').waitFor()
      await page.context().close()
    })

    it('show another period, also with custom start and end', async () => {
      const { page } = await open('/analytics?period=24h')
      await page.getByRole('button', { name: 'Period: Last 24 hours' }).click()
      await page.getByRole('button', { name: 'Last 7 days' }).click()
      await figure(page, 'Traces').getByText('20', { exact: true }).waitFor()
      expect(search(page).get('period')).toBe('7d')
      await page.getByRole('button', { name: 'Period: Last 7 days' }).click()
      await page.getByLabel('From', { exact: true }).fill(iso(hour(5)).slice(0, 16))
      await page.getByLabel('To', { exact: true }).fill(iso(hour(4)).slice(0, 16))
      await page.getByRole('button', { name: 'Show this period' }).click()
      await figure(page, 'Traces').getByText('10', { exact: true }).waitFor()
      expect(Object.fromEntries(search(page))).toEqual({ start_date: iso(hour(5)), end_date: iso(hour(4)) })
      await page.context().close()
    })

    it('break down by model, version and tag, with links to the traces', async () => {
      const { page } = await open('/analytics?period=24h')
      const row = (name: string) => page.getByRole('row').filter({ hasText: name })
      await row('model-a').waitFor()
      expect((await row('model-a').innerText()).split(/\s*\t\s*/)).toEqual([
        ...['model-a', '10', '20 %', expect.stringMatching(around200), expect.stringMatching(around1000)],
        ...['$0.10', '$0.010', '1,000'],
      ])
      await page.getByRole('tab', { name: 'Tags' }).click()
      await row('email').getByRole('link').click()
      await page.waitForURL(/\/traces\?/)
      expect(search(page).get('tag')).toBe('email')
      await page.goBack()
      await page.getByRole('button', { name: 'email' }).click()
      await figure(page, 'Traces').getByText('5', { exact: true }).waitFor()
      expect(search(page).get('tag')).toBe('email')
      await page.context().close()
    })

    it('export the filtered traces as a file, with progress; a cancelled export saves nothing', async () => {
      const { page, problems } = await open('/analytics?period=24h&model=model-a')
      await figure(page, 'Traces').getByText('10', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Export' }).click()
      const dialog = page.getByRole('dialog')
      const download = page.waitForEvent('download')
      await dialog.getByLabel('Format').selectOption('jsonl')
      await dialog.getByRole('button', { name: 'Export' }).click()
      const file = await download
      expect(file.suggestedFilename()).toMatch(/^traces-.*\.jsonl$/)
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
      expect(lines.map((line) => JSON.parse(line).model)).toEqual(Array(10).fill('model-a'))
      await dialog.getByText(/^10 of 10 rows, \d/).waitFor()
      await dialog.getByText('Saved').waitFor()
      await expectAccessible(page)
      // Slow enough to be cancelled.
      const network = await page.context().newCDPSession(page)
      await network.send('Network.enable')
      await network.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, downloadThroughput: 300, uploadThroughput: -1 },
      })
      await dialog.getByRole('button', { name: 'Export' }).click()
      await dialog.getByRole('button', { name: 'Cancel export' }).click()
      await dialog.getByText('Cancelled, nothing was saved').waitFor()
      expect(problems).toEqual([])
      await page.context().close()
    })

    it('continue an export on other screens, with a link back', async () => {
      const { page, problems } = await open('/analytics?period=24h&model=model-a&group=version')
      await figure(page, 'Traces').getByText('10', { exact: true }).waitFor()
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/analytics/export?*', async (route) => {
        const response = await route.fetch()
        await released
        await route.fulfill({ response })
      })
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
      await page.getByRole('dialog').getByText('0 of 10 rows').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Sessions' }).click()
      const notice = page.getByRole('link', { name: 'Exporting, 0 of 10 rows' })
      await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor()
      await expectAccessible(page)
      await notice.click()
      await page.waitForURL(/\/analytics\?/)
      const address = { period: '24h', model: 'model-a', group: 'version' }
      await expect.poll(() => Object.fromEntries(search(page))).toEqual(address)
      await page.getByRole('button', { name: 'Exporting, 0 rows' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel export' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Traces', exact: true }).click()
      await page.getByRole('table', { name: 'Traces' }).waitFor()
      const download = page.waitForEvent('download')
      release()
      const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
      expect(lines).toHaveLength(11)
      await notice.waitFor({ state: 'detached' })
      expect(problems).toEqual([])
      await page.context().close()
    })

    it('report a failed export on every screen', async () => {
      const { page } = await open('/analytics?period=24h')
      await figure(page, 'Traces').getByText('15', { exact: true }).waitFor()
      await page.route('**/analytics/export?*', (route) => route.abort())
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
      await page.getByRole('dialog').getByText('The export failed').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Sessions' }).click()
      await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor()
      await page.getByRole('link', { name: 'Export failed' }).waitFor()
      await page.context().close()
    })

    it('are drawn again after a change of the theme, and fit a phone', async () => {
      const { page } = await open('/analytics?period=24h', { width: 390 })
      const canvas = page.locator('canvas').first()
      await canvas.waitFor()
      const light = await page.evaluate('document.querySelector("canvas").toDataURL()')
      await expectAccessible(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect.poll(() => page.evaluate('document.querySelector("canvas").toDataURL()')).not.toBe(light)
      await expectAccessible(page)
      await page.setViewportSize({ width: 700, height: 900 })
      await expect
        .poll(() => page.evaluate('document.querySelector("canvas").clientWidth'))
        .toBeGreaterThan(500)
      await page.context().close()
    })

    it('are accessible in light and dark, and explain an empty project', async () => {
      for (const dark of [false, true]) {
        const { page, problems } = await open('/analytics?period=24h&group=model', { dark })
        await page.locator('canvas').nth(5).waitFor()
        await page.getByRole('table', { name: 'By model' }).waitFor()
        await page.getByRole('button', { name: 'Show Cost as table' }).click()
        await expectAccessible(page)
        expect(problems).toEqual([])
        await page.context().close()
      }
      const { page } = await open('/analytics', {}, emptyId)
      await page.getByText('No traces yet').waitFor()
      await page.getByText(`/v1/${emptyId}/traces`).waitFor()
      await expectAccessible(page)
      await page.context().close()
    })

    it('show an error in its place, and retry', async () => {
      const { page } = await open('')
      await page.route('**/analytics/timeseries?*total_cost*', (route) =>
        route.fulfill({ status: 400, json: { error: { code: 400, message: 'too many points' } } }),
      )
      await page.goto(`${dashboard.server.url}${at('/analytics?period=24h')}`)
      await chart(page, 'Cost').getByText('too many points').waitFor()
      await chart(page, 'Traces').locator('canvas').waitFor()
      await page.unroute('**/analytics/timeseries?*total_cost*')
      await chart(page, 'Cost').getByRole('button', { name: 'Try again' }).click()
      await chart(page, 'Cost').locator('canvas').waitFor()
      await page.context().close()
    })
  })

  describe('the overview', () => {
    it('shows the figures, the newest errors, the active version and the chats, with links', async () => {
      const { page, problems } = await open('')
      await figure(page, 'Traces').getByText('15', { exact: true }).waitFor()
      await page.locator('canvas').nth(1).waitFor()
      await page.getByText('1 document').waitFor()
      const links = async (name: string) => {
        const all = await page.getByRole('region', { name }).getByRole('link').all()
        return Promise.all(all.map((link) => link.getAttribute('href')))
      }
      await expect
        .poll(() => links('Newest errors'))
        .toEqual([at('/traces?status=error'), ...Array(2).fill(expect.stringMatching(/\/traces\/trc_/))])
      await expect
        .poll(() => links('Active version'))
        .toEqual([at('/versions'), expect.stringMatching(/\/versions\/ver_/)])
      await expect.poll(() => links('Chats')).toEqual([at('/chats'), expect.stringMatching(/\/chats\/chat/)])
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Last 7 days' }).click()
      await figure(page, 'Traces').getByText('20', { exact: true }).waitFor()
      expect(search(page).get('period')).toBe('7d')
      expect(problems).toEqual([])
      await page.context().close()
    })

    it('of an empty project explains the first steps', async () => {
      const { page } = await open('', {}, emptyId)
      await page.getByRole('heading', { name: 'Record calls of a model' }).waitFor()
      await page.getByText(`/v1/${emptyId}/traces`).waitFor()
      await expectAccessible(page)
      await page.context().close()
    })
  })
})
