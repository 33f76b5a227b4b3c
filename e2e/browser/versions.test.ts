import { type Client, createClient } from '@cairn/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedServer } from '../support/databases.ts'
import { adminToken } from '../support/server.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath } from './chromium.ts'
import { Dashboard } from './dashboard.ts'
import { createKnownProject, now } from './known-project.ts'

describe.skipIf(!chromiumPath)('versions', () => {
  let dashboard: Dashboard<{ url: string }>
  let client: Client
  let projectId: string
  let emptyId: string

  beforeAll(async () => {
    dashboard = await Dashboard.of(sharedServer('SQLite'))
    ;({ client, projectId, emptyId } = await createKnownProject(dashboard.server.url))
  })
  afterAll(() => dashboard?.stop())

  const at = (path: string, id = projectId) => `/projects/${id}${path}`
  const open = (path: string, options = {}, id = projectId) =>
    dashboard.open(at(path, id), { ...options, now })
  const textOf = async (page: Page, label: string) =>
    (await page.locator(`[data-figure="${label}"]`).innerText()).replace(/\s+/g, ' ')

  it('are listed with their figures, and open on a click', async () => {
    const { page, problems } = await open('/versions')
    const row = page.getByRole('row').filter({ hasText: '1.0.0' })
    await row.getByText('tone 0.50').waitFor()
    const cells = (await row.innerText()).split(/\s*\t\s*/)
    expect(cells.slice(0, 4)).toEqual(['1.0.0', 'The first', '15', '13 %'])
    expect(await page.getByRole('row').filter({ hasText: 'Active' }).innerText()).toMatch(/^1\.1\.0/)
    await expectAccessible(page)
    await row.click()
    await page.getByRole('heading', { name: '1.0.0' }).waitFor()
    await page.getByText('Answer at length.').waitFor()
    expect(await textOf(page, 'Traces')).toBe('Traces 15')
    expect(await textOf(page, 'Score tone')).toBe('Score tone 0.50')
    await expectAccessible(page)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('are published with a validated configuration; a rejected one stays in the form', async () => {
    const { page } = await open('/versions', {}, emptyId)
    await page.getByText('No versions yet').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Publish a version', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const publish = dialog.getByRole('button', { name: 'Publish', exact: true })
    const config = dialog.getByLabel('Configuration')
    await dialog.getByRole('button', { name: 'Edit as JSON' }).click()
    await config.fill('{"modle": "gpt-4o"}')
    await dialog.getByText('modle: unknown field').waitFor()
    expect(await publish.isDisabled()).toBe(true)
    await expectAccessible(page)
    await config.fill('{"model": "gpt-4o", "temperature": 0.2}')
    await dialog.getByLabel('Version', { exact: true }).fill('one')
    await publish.click()
    await dialog.getByText('version must be a semantic version').waitFor()
    expect(await config.inputValue()).toContain('gpt-4o')
    await dialog.getByLabel('Version', { exact: true }).fill('1.0.0')
    await publish.click()
    await page.getByRole('heading', { name: '1.0.0' }).waitFor()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.goto(`${dashboard.server.url}${at('/versions', emptyId)}`)
    await page.getByRole('button', { name: 'Publish a version', exact: true }).click()
    expect(await dialog.getByLabel('Model').inputValue()).toBe('gpt-4o')
    await dialog.getByLabel('Prompt').fill('First line.\nSecond "line".')
    await dialog.getByRole('button', { name: 'Publish…' }).click()
    await dialog.getByText('1.1.0 replaces 1.0.0 as the active version at once').waitFor()
    await expectAccessible(page)
    const baseUrl = dashboard.server.url
    const { api_key: apiKey } = await createClient({
      baseUrl,
      adminToken,
    }).console.keys.createForProject(emptyId)
    const own = createClient({ baseUrl, apiKey })
    const active = async () => (await own.versions.list(emptyId)).find(({ is_active }) => is_active)?.version
    expect(await active()).toBe('1.0.0')
    await dialog.getByRole('button', { name: 'Publish and activate 1.1.0' }).click()
    await page.getByRole('heading', { name: '1.1.0' }).waitFor()
    expect(await active()).toBe('1.1.0')
    const [newest] = await own.versions.list(emptyId)
    const { config: stored } = await own.versions.get(emptyId, newest?.version_id ?? '')
    expect(stored).toEqual({ model: 'gpt-4o', prompt: 'First line.\nSecond "line".', temperature: 0.2 })
    await page.context().close()
  })

  it('are compared in pairs, by figures and by words of their prompts', async () => {
    const { page, problems } = await open('/versions/compare')
    const cells = async (name: string) =>
      (await page.getByRole('row').filter({ hasText: name }).innerText()).split(/\s*\t\s*/)
    await page.getByRole('heading', { name: '1.1.0 against 1.0.0' }).waitFor()
    // One error of eight traces is not enough for a verdict.
    expect(await cells('Error rate')).toEqual([
      ...['Error rate', '13 %', '0 %', expect.stringMatching(/100 %.*within noise/s)],
    ])
    expect(await cells('Cost per trace')).toEqual([
      ...['Cost per trace', '$0.010', '$0.020', expect.stringContaining('worse')],
    ])
    await page.getByText('1.1.0 has only 5 traces').waitFor()
    expect(await page.locator('del').allInnerTexts()).toEqual(['model-a', 'at length'])
    expect(await page.locator('ins').allInnerTexts()).toEqual(['model-b', 'briefly'])
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Swap the versions' }).click()
    await page.getByRole('heading', { name: '1.0.0 against 1.1.0' }).waitFor()
    expect([...new URL(page.url()).searchParams.keys()].sort()).toEqual(['a', 'b'])
    await page.reload()
    await page.getByRole('heading', { name: '1.0.0 against 1.1.0' }).waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('are rolled back after a confirmation with figures, and are in the history', async () => {
    const { page, problems } = await open('/versions/compare', { dark: true })
    await page.getByRole('button', { name: 'Roll back to 1.0.0' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('row').filter({ hasText: 'Error rate' }).waitFor()
    await dialog
      .getByRole('listitem')
      .filter({ hasText: 'Within noise' })
      .getByText(/error rate 0 % → 13 %/)
      .waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Roll back to 1.0.0' }).click()
    await dialog.waitFor({ state: 'detached' })
    const active = (await client.versions.list(projectId)).find(({ is_active }) => is_active)
    expect(active?.version).toBe('1.0.0')
    await page.goto(`${dashboard.server.url}${at('/versions?tab=history')}`)
    const first = page.locator('main tbody tr').first()
    await first.getByText('Rolled back to').waitFor()
    expect(await first.innerText()).toContain('1.0.0')
    await expectAccessible(page)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('have a history in pages', async () => {
    const [newer, older] = await client.versions.list(projectId)
    for (let turn = 0; turn < 110; turn++) {
      await client.versions.rollback(projectId, (turn % 2 ? newer : older)?.version_id ?? '')
    }
    const { activations } = await client.versions.historyPage(projectId, { limit: 1000 })
    const { page } = await open('/versions?tab=history')
    await page.locator('table[aria-rowcount="100"]').waitFor()
    await page
      .locator('[data-scroller]')
      .evaluate('document.querySelector("[data-scroller]").scrollTo(0, 1e6)')
    await page.locator(`table[aria-rowcount="${activations.length}"]`).waitFor()
    await page.getByText('All activations are shown.').waitFor()
    await page.context().close()
  })
})
