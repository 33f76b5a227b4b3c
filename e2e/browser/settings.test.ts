import { execFileSync } from 'node:child_process'
import { type Client, createClient } from '@cairn/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StubProvider } from '../support/provider.ts'
import { Receiver } from '../support/receiver.ts'
import { adminToken } from '../support/server.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath } from './chromium.ts'
import { Dashboard, type Screen, type ScreenOptions } from './dashboard.ts'
import { drawFrames } from './in-page.ts'

const dayMs = 86_400_000

describe.skipIf(!chromiumPath)('settings in the dashboard', () => {
  let dashboard: Dashboard
  let receiver: Receiver
  let provider: StubProvider
  let admin: Client
  let client: Client
  let projectId: string

  beforeAll(async () => {
    receiver = await Receiver.start()
    provider = await StubProvider.start()
    dashboard = await Dashboard.start({ CAIRN_ALLOW_INSECURE_ISSUERS: 'true' })
    admin = createClient({ baseUrl: dashboard.server.url, adminToken })
    ;({ project_id: projectId } = await admin.console.projects.create({ name: 'Settled' }))
    const { api_key: apiKey } = await admin.console.keys.createForProject(projectId, { name: 'the tests' })
    client = createClient({ baseUrl: dashboard.server.url, apiKey })
  })
  afterAll(async () => {
    await dashboard?.stop()
    receiver?.stop()
    provider?.stop()
  })

  const open = (section: string, options: ScreenOptions = {}): Promise<Screen> =>
    dashboard.open(`/projects/${projectId}/settings${section}`, options)

  const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })
  const dialogOf = (page: Page) => page.getByRole('dialog')
  const press = (page: Page, name: string | RegExp) => dialogOf(page).getByRole('button', { name }).click()

  async function close({ page, problems }: Screen, refused?: RegExp): Promise<void> {
    expect(problems.filter((problem) => !refused?.test(problem))).toEqual([])
    await page.context().close()
  }

  it('show a key once, with commands that work unchanged, and revoke it', async () => {
    const screen = await open('/keys')
    const { page } = screen
    await row(page, /the tests/).waitFor()
    await page.getByRole('button', { name: 'New key' }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('Name').fill('Shop')
    await dialog.getByLabel(/^write/).uncheck()
    await press(page, 'Create key')
    await dialog.getByText('it is not shown again').waitFor()
    const curl = await dialog.locator('pre').innerText()
    await dialog.getByRole('tab', { name: 'Python' }).click()
    const python = await dialog.locator('pre').innerText()
    await dialog.getByRole('tab', { name: 'TypeScript' }).click()
    const key = /tk_\w+/.exec(curl)?.[0] ?? ''
    const typescript = await dialog.locator('pre').innerText()
    expect(typescript).toContain(key)
    await expectAccessible(page)
    expect(execFileSync('bash', ['-c', curl], { encoding: 'utf8' })).toContain('trace_id')
    execFileSync(process.execPath, ['--input-type=module-typescript', '-e', typescript])
    const sent = await Array.fromAsync(client.traces.list(projectId))
    expect(sent.filter(({ input }) => input === 'Where is my parcel?')).toHaveLength(2)
    expect(python).toContain(`Bearer ${key}`)
    await press(page, 'I have copied it')
    await row(page, new RegExp(`Shop tk_…${key.slice(-4)} ingest ?read`)).waitFor()
    await page.reload()
    await row(page, /Shop/).waitFor()
    expect(await page.content()).not.toContain(key)
    await page.getByRole('button', { name: 'Revoke… Shop' }).click()
    await dialog.getByText(`(tk_…${key.slice(-4)}) will be rejected`).waitFor()
    await press(page, 'Revoke key')
    // Until then, the page behind the dialog counts as hidden.
    await dialog.waitFor({ state: 'detached' })
    await row(page, /Shop/).waitFor({ state: 'detached' })
    const revoked = createClient({ baseUrl: dashboard.server.url, apiKey: key })
    await expect(revoked.traces.page(projectId)).rejects.toMatchObject({ status: 401 })
    await close(screen)
  })

  it('find built-in prices, set prices of the project, and compute costs again', async () => {
    const created_at = new Date(Date.now() - dayMs).toISOString()
    const token_usage = { prompt_tokens: 1_000_000, completion_tokens: 0 }
    const trace = { input: 'a', output: 'b', model: 'acme-1', token_usage, created_at }
    await client.traces.create(projectId, trace)
    const screen = await open('/prices')
    const { page } = screen
    await page.getByRole('searchbox').fill('claude-3-haiku')
    await row(page, /^claude-3-haiku.*anthropic/)
      .first()
      .waitFor()
    expect(page.url()).toContain('q=claude-3-haiku')
    expect(await row(page, /^gpt/).count()).toBe(0)
    await page.getByRole('button', { name: 'Set a price' }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('Model').fill('acme-1')
    await dialog.getByLabel('From').fill('2024-01-01')
    await dialog.getByLabel('Input', { exact: true }).fill('3')
    await dialog.getByLabel('Output', { exact: true }).fill('6')
    await press(page, 'Set price')
    await row(page, /^acme-1 Jan 1, 2024 \$3\.00 \$6\.00/).waitFor()
    await page.getByRole('button', { name: 'Recompute' }).click()
    await page.getByRole('status').getByText('$3.00').waitFor()
    expect(await page.getByRole('status').innerText()).toMatch(
      /Changed\s+1\s+Cost before\s+\$0\s+Cost now\s+\$3\.00/,
    )
    await page.getByRole('button', { name: 'Delete… acme-1' }).click()
    await press(page, 'Delete price')
    await page.getByText('No prices yet, so the built-in prices apply').waitFor()
    await close(screen)
  })

  it('send events to a webhook, show the deliveries, and send them again', async () => {
    receiver.answer = (_call, number) => (number === 1 ? 204 : 410)
    const screen = await open('/webhooks')
    const { page } = screen
    await page.getByText('No webhooks yet').waitFor()
    await page.getByRole('button', { name: 'New webhook' }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('Address').fill(receiver.url('/hook'))
    await dialog.getByLabel('All types, including future ones').uncheck()
    await dialog.getByLabel(/^run_completed/).check()
    await press(page, 'Create webhook')
    const secret = await dialog.getByText(/^whsec_/).innerText()
    await press(page, 'I have copied it')
    await page.getByRole('button', { name: 'Send a test' }).click()
    await row(page, /Delivered webhook_test 1 204/).waitFor()
    expect((await receiver.wait('/hook', 1))[0]?.body).toContain('webhook_test')
    await page.getByRole('button', { name: 'Send again webhook_test' }).click()
    await receiver.wait('/hook', 2)
    await page.reload()
    await row(page, /webhook_test .*410/).waitFor()
    expect(await page.content()).not.toContain(secret)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'New secret…' }).click()
    await press(page, 'Create secret')
    expect(await dialog.getByText(/^whsec_/).innerText()).not.toBe(secret)
    await press(page, 'I have copied it')
    await page.getByRole('button', { name: 'Delete…' }).click()
    await press(page, 'Delete webhook')
    await page.getByText('No webhooks yet').waitFor()
    await close(screen)
  })

  it('show a disabled webhook as a warning, not as a success', async () => {
    const { project_id } = await admin.console.projects.create({ name: 'Silent' })
    for (const enabled of [true, false]) {
      const url = receiver.url(`/${enabled}`)
      const { webhook_id } = await admin.console.webhooks.create(project_id, { url, event_types: ['*'] })
      await admin.console.webhooks.update(webhook_id, { enabled })
    }
    const screen = await dashboard.open(`/projects/${project_id}/settings/webhooks`)
    const { page } = screen
    const kindOf = (state: 'On' | 'Off') =>
      row(page, new RegExp(` ${state} `))
        .locator('[data-status]')
        .getAttribute('data-status')
    expect([await kindOf('On'), await kindOf('Off')]).toEqual(['success', 'warning'])
    await close(screen)
  })

  it('set budgets, and show usage', async () => {
    const chat = await admin.console.chats.create(projectId, { title: 'Handbook', publish: true })
    const screen = await open('/usage')
    const { page } = screen
    await page.getByText('No budgets. Nothing is limited.').waitFor()
    await page.getByRole('button', { name: 'New budget' }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('Applies to').selectOption('chat')
    await dialog.getByLabel('Chat', { exact: true }).selectOption('Handbook')
    await dialog.getByLabel('Limit', { exact: true }).fill('20')
    await press(page, 'Create budget')
    await row(page, new RegExp(`A chat ${chat.chat_id} a month 20 credits`)).waitFor()
    await page.getByRole('button', { name: /^Change… bud/ }).click()
    await dialog.getByLabel('Limit', { exact: true }).fill('25')
    await dialog.getByLabel('Unit').selectOption('usd')
    await press(page, 'Save')
    await row(page, /a month \$25\.00/).waitFor()
    await page.getByLabel('Group by').selectOption('model')
    await page.getByLabel('Period').selectOption('7')
    expect(new URL(page.url()).search).toBe('?group=model&days=7')
    await page.getByRole('button', { name: /^Delete… bud/ }).click()
    await press(page, 'Delete budget')
    await page.getByText('No budgets. Nothing is limited.').waitFor()
    await close(screen)
  })

  it('mark a budget that is used up', async () => {
    const { project_id } = await admin.console.projects.create({ name: 'Thrifty' })
    const budget = { project_id, scope: 'project' as const }
    await admin.console.budgets.create({ ...budget, period: 'day', limit: 0 })
    await admin.console.budgets.create({ ...budget, period: 'month', limit: 1 })
    const screen = await dashboard.open(`/projects/${project_id}/settings/usage`)
    const { page } = screen
    await row(page, /a day .*Used up/).waitFor()
    expect(await row(page, /Used up/).count()).toBe(1)
    await close(screen)
  })

  it('show events and console changes, by kind and with their data', async () => {
    await client.versions.publish(projectId, { version: '1.0.0' })
    const screen = await open('/events?type=version_published')
    const { page } = screen
    await row(page, /version_published/).click()
    await page.getByRole('complementary').getByText('"version": "1.0.0"').waitFor()
    await page.getByLabel('Type of event').selectOption('run_failed')
    await page.getByRole('heading', { name: 'No run_failed yet' }).waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await row(page, /Revoke key/).click()
    const detail = page.getByRole('complementary', { name: 'Revoke key' })
    await detail.getByText('DELETE /v1/console/keys/:key_id').waitFor()
    await detail.getByRole('button', { name: 'Show only this kind' }).click()
    await row(page, /Create webhook/).waitFor({ state: 'detached' })
    await expectAccessible(page)
    await page.reload()
    await row(page, /Revoke key .*200/).waitFor()
    expect(await row(page, /Create|Set|Change/).count()).toBe(0)
    await close(screen)
  })

  it('read the next page of a list once if it fails, and again on request', async () => {
    for (let change = 0; change < 100; change++) {
      await admin.console.projects.update(projectId, { name: 'Settled' })
    }
    const { entries } = await admin.console.audit({ project_id: projectId, limit: 1000 })
    const screen = await open('/audit')
    const { page } = screen
    await page.locator('table[aria-rowcount="100"]').waitFor()
    const nextPage = '**/v1/console/audit?*cursor=*'
    let reads = 0
    await page.route(nextPage, (route) => {
      reads++
      const error = { code: 500, message: 'the disk is full', type: 'internal_error', request_id: 'req_full' }
      return route.fulfill({ status: 500, json: { error } })
    })
    const scroller = page.locator('[data-scroller]')
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    const alert = page.getByRole('alert')
    await alert.getByText('The audit log could not be loaded').waitFor()
    await alert.getByText('the disk is full').waitFor()
    await alert.getByRole('button', { name: 'Copy req_full' }).waitFor()
    await drawFrames(page, 30)
    expect(reads).toBe(1)
    await page.unroute(nextPage)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.locator(`table[aria-rowcount="${entries.length}"]`).waitFor()
    expect(await alert.count()).toBe(0)
    await close(screen, /status of 500/)
  })

  it('explain retention, rename the project, and delete it after its name is typed', async () => {
    const { project_id: id } = await admin.console.projects.create({ name: 'Short-lived' })
    const { api_key: apiKey } = await admin.console.keys.createForProject(id)
    const own = createClient({ baseUrl: dashboard.server.url, apiKey })
    for (const days of [40, 400]) {
      const created_at = new Date(Date.now() - days * dayMs).toISOString()
      await own.traces.create(id, { input: 'old', output: 'old', created_at })
    }
    await own.traces.create(id, { input: 'new', output: 'new' })
    const screen = await dashboard.open(`/projects/${id}/settings`)
    const { page } = screen
    await page.getByLabel('Keep traces for').selectOption('30')
    await page.getByText('Traces are deleted after 30 days.').waitFor()
    await page.getByRole('button', { name: 'Save…' }).click()
    await dialogOf(page).getByText('2 traces from before').waitFor()
    await press(page, 'Delete older traces')
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await admin.console.projects.get(id)).toMatchObject({ retention_days: 30 })
    await page.getByLabel('Name').fill('Renamed')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('button', { name: 'Project: Renamed' }).waitFor()
    await page.getByRole('button', { name: 'Delete project…' }).click()
    await dialogOf(page)
      .getByLabel(/to confirm/)
      .fill('Renamed')
    await press(page, 'Delete project')
    await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor()
    await row(page, /Settled/).waitFor()
    expect(await row(page, /Renamed/).count()).toBe(0)
    await close(screen)
  })

  it('of the server: providers without their keys, test calls of models, multipliers', async () => {
    const screen = await dashboard.open('/server/models')
    const { page } = screen
    await page.getByRole('button', { name: 'Set up… OpenAI', exact: true }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('Key').fill('sk-words-nobody-reads-1234')
    await dialog.getByLabel('Address').fill(`${provider.url}/openai/v1`)
    await press(page, 'Save')
    await row(page, /OpenAI Configured Set here …1234/).waitFor()
    expect(await page.content()).not.toContain('sk-words')
    provider.script = () => ({ pieces: ['Hello ', 'there.'] })
    await page.getByRole('button', { name: 'Try… OpenAI', exact: true }).click()
    await press(page, 'Ask')
    await dialog.getByText('Hello there.').waitFor()
    provider.script = () => ({ refuse: { status: 401 } })
    await press(page, 'Ask')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Add server…' }).click()
    await dialog.getByLabel('Name').fill('edge')
    await dialog.getByLabel('Address').fill(`${provider.url}/edge/v1`)
    await dialog.getByLabel('Further models').fill('tiny = org/tiny:1b')
    await dialog.getByLabel('Headers').fill('X-Secret: words-nobody-reads')
    await press(page, 'Save')
    await row(page, /^edge Configured Set here/).waitFor()
    await row(page, /^edge\/tiny edge Runs/).waitFor()
    await page.getByRole('button', { name: 'Change… edge', exact: true }).click()
    await dialog.getByText('If empty, X-Secret is kept').waitFor()
    await press(page, 'Save')
    expect(await page.content()).not.toContain('words-nobody-reads')
    await page.getByRole('button', { name: 'Choose models…' }).click()
    await dialog.getByLabel('Embedding model').fill('anthropic/none')
    await press(page, 'Save')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Embedding model').fill('edge/embed')
    await press(page, 'Save')
    const vectors = page.getByRole('status', { name: 'Vectors' })
    await vectors.getByText(/chunks with vectors, \d+ of \d+ chats? complete/).waitFor()
    await page.getByRole('button', { name: 'Choose models…' }).click()
    await dialog.getByLabel('Embedding model').fill('')
    await press(page, 'Save')
    await vectors.waitFor({ state: 'detached' })
    for (const name of ['edge', 'OpenAI']) {
      await page.getByRole('button', { name: `Remove… ${name}`, exact: true }).click()
      await press(page, 'Remove provider')
    }
    await row(page, /^OpenAI Not configured/).waitFor()
    await page.getByRole('button', { name: 'Set a multiplier' }).click()
    await dialog.getByLabel('Model').fill('llama3.2')
    await dialog.getByLabel('Credits for 1,000 tokens').fill('0.5')
    await press(page, 'Set multiplier')
    await row(page, /^llama3\.2 0\.5 –/).waitFor()
    await page.getByRole('button', { name: 'Remove llama3.2' }).click()
    await row(page, /^llama3\.2 0\.5/).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByText('No answers in this period.').waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await row(page, /Set provider openai/).click()
    await page.getByRole('complementary').getByText('[removed]').waitFor()
    await close(screen, /status of (4|5)\d\d/)
  })

  it.each([
    { look: 'dark', options: { dark: true }, count: 3 },
    { look: 'on a phone', options: { width: 390, height: 844 }, count: 9 },
  ])('are accessible $look', async ({ options, count }) => {
    const own = `/projects/${projectId}/settings`
    const sections = ['/keys', '/prices', '', '/webhooks', '/events', '/usage', '/audit']
    const places = ['/server/models', ...sections.map((section) => own + section), '/server/audit']
    const screen = await open('', options)
    const { page } = screen
    for (const place of places.slice(0, count)) {
      await page.goto(dashboard.server.url + place)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('.animate-pulse').first().waitFor({ state: 'detached' })
      await expectAccessible(page)
    }
    await close(screen)
  })
})
