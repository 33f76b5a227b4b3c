import { type Client, createClient } from '@cairn/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.ts'
import { adminToken } from '../support/server.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath } from './chromium.ts'
import { Dashboard, type Screen, type ScreenOptions } from './dashboard.ts'
import { drawFrames } from './in-page.ts'

const contains = (value: string) => [{ type: 'contains' as const, value }]

describe.skipIf(!chromiumPath)('test suites in the dashboard', () => {
  let dashboard: Dashboard
  let endpoint: Endpoint
  let client: Client
  let projectId: string

  beforeAll(async () => {
    endpoint = await Endpoint.start()
    dashboard = await Dashboard.start({ CAIRN_ALLOW_INSECURE_ISSUERS: 'true' })
    const baseUrl = dashboard.server.url
    const { console: api } = createClient({ baseUrl, adminToken })
    ;({ project_id: projectId } = await api.projects.create({ name: 'Suites' }))
    const { api_key: apiKey } = await api.keys.createForProject(projectId)
    client = createClient({ baseUrl, apiKey })
  })
  afterAll(async () => {
    await dashboard?.stop()
    endpoint?.stop()
  })

  const open = (place: string, options: ScreenOptions = {}): Promise<Screen> =>
    dashboard.open(`/projects/${projectId}/tests${place}`, options)

  const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })

  /** `refused` matches the messages of the browser about expected rejections. */
  async function close({ page, problems }: Screen, refused?: RegExp): Promise<void> {
    expect(problems.filter((problem) => !refused?.test(problem))).toEqual([])
    await page.context().close()
  }

  /** A suite that calls the endpoint, with one case per pair of a question and a text that the answer must contain. */
  async function makeSuite(name: string, pairs: readonly [query: string, text: string][]) {
    const target = { type: 'http' as const, url: endpoint.url }
    const { suite_id: suiteId } = await client.testing.suites.create(projectId, { name, target })
    const caseIds: string[] = []
    for (const [query, text] of pairs) {
      const one = { query, expected_answer: `You said: ${text}`, assertions: contains(text) }
      caseIds.push((await client.testing.cases.create(projectId, suiteId, one)).case_id)
    }
    return { suiteId, caseIds }
  }

  async function runThrough(suiteId: string, name?: string): Promise<string> {
    const { run_id: runId } = await client.testing.suites.run(projectId, suiteId, { ...(name && { name }) })
    await client.testing.runs.wait(projectId, runId, { everyMs: 20 })
    return runId
  }

  it('are created in an empty project, and get cases with assertions, which are changed and deleted', async () => {
    const screen = await open('')
    const { page } = screen
    await page.getByRole('heading', { name: 'No suites yet' }).waitFor()
    await page.getByRole('button', { name: 'New suite' }).click()
    await page.getByLabel('Name').fill('By hand')
    await page.getByLabel('Tags').fill('a, b')
    await page.getByLabel('Target').selectOption('builtin')
    await page.getByRole('button', { name: 'Create suite' }).click()
    await page.getByRole('heading', { name: 'No cases yet' }).waitFor()

    await page.getByRole('button', { name: 'Add case' }).first().click()
    const panel = page.getByRole('complementary', { name: 'New case' })
    await panel.getByLabel('Input').fill('How long is a shift?')
    await panel.getByLabel('Expected answer').fill('Eight hours')
    await panel.getByRole('button', { name: 'Add assertion' }).click()
    await panel.getByLabel('Value of assertion 1').fill('hours')
    await panel.getByRole('button', { name: 'Add assertion' }).click()
    await panel.getByLabel('Kind of assertion 2').selectOption('json_schema')
    await panel.getByLabel('Value of assertion 2').fill('{"type": "nothing"}')
    await panel.getByRole('button', { name: 'Add case' }).click()
    // The message of the server is shown, and the input stays.
    await panel.getByRole('alert').getByText('assertions[1].value is no valid JSON schema').waitFor()
    expect(await panel.getByLabel('Value of assertion 2').inputValue()).toContain('nothing')
    await panel.getByLabel('Kind of assertion 2').selectOption('similar')
    await panel.getByRole('button', { name: 'Add case' }).click()
    await row(page, /How long is a shift/).waitFor()

    const [suite] = await client.testing.suites.list(projectId)
    expect(suite).toMatchObject({ name: 'By hand', tags: ['a', 'b'], case_count: 1 })
    const suiteId = suite?.suite_id ?? ''
    const stored = async () => (await client.testing.cases.page(projectId, suiteId)).cases
    expect(await stored()).toMatchObject([
      {
        query: 'How long is a shift?',
        expected_answer: 'Eight hours',
        assertions: [
          { type: 'contains', value: 'hours' },
          { type: 'similar', value: 0.8 },
        ],
      },
    ])
    await row(page, /How long is a shift/).click()
    expect(new URL(page.url()).searchParams.get('case')).toMatch(/^tsc_/)
    const editor = page.getByRole('complementary', { name: 'Case' })
    await editor.getByRole('button', { name: 'Remove assertion 2' }).click()
    await editor.getByLabel('Category').fill('shifts')
    await editor.getByRole('button', { name: 'Save case' }).click()
    await row(page, /shifts/).click()
    expect(await stored()).toMatchObject([{ category: 'shifts', assertions: [{ type: 'contains' }] }])
    await editor.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete case' }).click()
    await page.getByRole('heading', { name: 'No cases yet' }).waitFor()
    expect(await stored()).toEqual([])
    await close(screen, /status of 400/)
  })

  it('import cases from CSV after a preview, and show the rejected lines', async () => {
    const { suiteId } = await makeSuite('Imported', [])
    const screen = await open(`/${suiteId}`)
    const { page } = screen
    await page.getByRole('button', { name: 'Import…' }).first().click()
    const dialog = page.getByRole('dialog')
    const text = dialog.getByRole('textbox', { name: 'Cases', exact: true })
    const bad = '"What, so?",no,"[{""type"":""min_score"",""value"":7}]"'
    await text.fill(
      `question,expected,assertions,colour\nWho?,Me,,red\n${bad}\nWhen?,Now,{oops\nWhere?,Here,\n`,
    )
    await dialog.getByText('Ignored columns: colour').waitFor()
    await row(page, /^4 .*Invalid/).waitFor()
    // Imported cases are removed from the text before the list of cases is read again.
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/cases?*', (route) => held.then(() => route.continue()))
    await dialog.getByRole('button', { name: 'Import 3 cases' }).click()
    await dialog.getByText('2 cases imported').waitFor()
    // Only the rejected cases remain, with the message of the server.
    await row(page, /^2 .*Rejected assertions\[0\]\.value must be a number from 0 to 1/).waitFor()
    expect(await text.inputValue()).toBe(`question,expected,assertions,colour\n${bad}\nWhen?,Now,{oops\n`)
    release()
    await text.fill((await text.inputValue()).replace('7', '0.7').replace('{oops', ''))
    await dialog.getByRole('button', { name: 'Import 2 cases' }).click()
    await dialog.getByText('2 cases imported').waitFor()
    const { cases } = await client.testing.cases.page(projectId, suiteId)
    expect(cases.map(({ query }) => query)).toEqual(['Who?', 'Where?', 'What, so?', 'When?'])
    await expectAccessible(page)
    await close(screen, /status of 400/)
  })

  it('are run with progress, which continues on other screens, and cancelled', async () => {
    const pairs = Array.from({ length: 6 }, (_, n): [string, string] => [`question ${n}`, 'question'])
    const { suiteId } = await makeSuite('Slow', pairs)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    endpoint.calls.length = 0
    endpoint.answer = async ({ body }) => {
      if (!/[01]/.test(body.query)) await held
      return { body: { output: `You said: ${body.query}` } }
    }
    const screen = await open(`/${suiteId}`)
    const { page } = screen
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Concurrency').fill('2')
    await dialog.getByLabel('Name').fill('The held one')
    await dialog.getByRole('button', { name: 'Start run' }).click()
    await page.getByRole('status').getByText('2 of 6 cases').waitFor()
    const address = page.url()
    await row(page, /Passed question 1/).waitFor()
    await page.getByRole('link', { name: 'Slow' }).click()
    await row(page, /The held one 2 of 6/).waitFor()
    await page.getByRole('link', { name: 'A run is in progress' }).click()
    await page.getByRole('progressbar', { name: 'Cases done' }).waitFor()
    expect(page.url()).toBe(address)
    release()
    await page.getByText('100 % (6 of 6)').waitFor()
    await row(page, /Passed question 5/).waitFor()
    expect(await page.getByRole('progressbar').count()).toBe(0)

    endpoint.answer = () => 'nothing'
    const { run_id: runId } = await client.testing.suites.run(projectId, suiteId)
    await page.goto(address.replace(/run_\w+/, runId))
    await page.getByRole('button', { name: 'Cancel run…' }).click()
    await page.getByRole('dialog').getByText('This skips 6 remaining cases').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click()
    await page.getByText('Cancelled').first().waitFor()
    expect(await client.testing.runs.get(projectId, runId)).toMatchObject({ status: 'cancelled' })
    await close(screen)
  })

  describe('with two runs', () => {
    const pairs: [string, string][] = [
      ['north', 'north'],
      ['south', 'south'],
      ['east', 'east'],
      ['west', 'west'],
    ]
    let suite: Awaited<ReturnType<typeof makeSuite>>
    let runs: [string, string]

    beforeAll(async () => {
      suite = await makeSuite('Compass', pairs)
      endpoint.answer = ({ body }) =>
        body.query === 'east'
          ? { status: 500, body: 'broken' }
          : { body: { output: `You said: ${body.query === 'south' ? 'nothing' : body.query}` } }
      const first = await runThrough(suite.suiteId, 'Before')
      endpoint.answer = ({ body }) => ({
        body: { output: `You said: ${body.query === 'west' ? 'something else' : body.query}`, cost: 0.0042 },
      })
      runs = [first, await runThrough(suite.suiteId, 'After')]
    })

    it('show results by outcome, each with compared words, assertions and trace', async () => {
      const screen = await open(`/runs/${runs[0]}`)
      const { page } = screen
      await page.getByText('50 % (2 of 4)').waitFor()
      const filters = page.getByRole('navigation', { name: 'Results by outcome' })
      const texts = await filters.getByRole('link').allInnerTexts()
      expect(texts.map((text) => text.replace(/\s+/, ' '))).toEqual([
        'All 4',
        'Passed 2',
        'Failed 1',
        'Error 1',
      ])
      await filters.getByRole('link', { name: 'Error 1' }).click()
      await row(page, /^Error east/).waitFor()
      expect(await row(page, /^(Passed|Failed)/).count()).toBe(0)
      await filters.getByRole('link', { name: 'Failed 1' }).click()
      await row(page, /^Failed south/).click()
      const detail = page.getByRole('complementary', { name: 'Result' })
      await detail.getByText('Contains “south”').waitFor()
      // A reload, or the same address in another browser, shows the same.
      await page.reload()
      await detail.getByText('the output does not contain the value').waitFor()
      expect(await detail.getByRole('region', { name: 'Expected' }).locator('del').allInnerTexts()).toEqual([
        'south',
      ])
      expect(await detail.getByRole('region', { name: 'Actual' }).locator('ins').allInnerTexts()).toEqual([
        'nothing',
      ])
      expect(await row(page, /^(Passed|Error)/).count()).toBe(0)
      const { results } = await client.testing.runs.results(projectId, runs[0])
      const trace = results.find(({ query }) => query === 'south')?.trace_id
      expect(await detail.getByRole('link', { name: 'Open the trace' }).getAttribute('href')).toBe(
        `/projects/${projectId}/traces/${trace}`,
      )
      await expectAccessible(page)
      await page.goBack()
      await row(page, /^Failed south/).waitFor()
      expect(await detail.count()).toBe(0)
      await close(screen)
    })

    it('move through the results by keyboard, with the open result beside them', async () => {
      const screen = await open(`/runs/${runs[0]}`)
      const { page } = screen
      await row(page, /^Passed north/).waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      const input = page.getByRole('complementary', { name: 'Result' }).getByRole('region', { name: 'Input' })
      await input.getByText('north').waitFor()
      await page.keyboard.press('j')
      await input.getByText('south').waitFor()
      await page.keyboard.press('Escape')
      await input.waitFor({ state: 'detached' })
      await close(screen)
    })

    it('load pages up to the open result, and stop at a failed page until the user retries', async () => {
      const screen = await open('')
      const { page } = screen
      let works = false
      let reads = 0
      await page.route('**/results?limit=100*', (route) => {
        const url = route.request().url()
        if (!url.includes('cursor=')) return route.continue({ url: url.replace('limit=100', 'limit=2') })
        reads++
        return works ? route.continue() : route.fulfill({ status: 500, json: { detail: 'no room' } })
      })
      const place = `/projects/${projectId}/tests/runs/${runs[0]}?case=${suite.caseIds.at(-1)}`
      await page.goto(dashboard.server.url + place)
      const alert = page.getByRole('alert')
      await alert.getByText('The results could not be loaded').waitFor()
      await drawFrames(page, 30)
      expect(reads).toBe(1)
      await row(page, /^Passed north/).waitFor()
      works = true
      await alert.getByRole('button', { name: 'Try again' }).click()
      const input = page.getByRole('complementary', { name: 'Result' }).getByRole('region', { name: 'Input' })
      await input.getByText('west').waitFor()
      expect(await alert.count()).toBe(0)
      await close(screen, /status of 500/)
    })

    it('keep an open case, with the error above it, if it cannot be read again', async () => {
      const [caseId] = suite.caseIds
      const screen = await open(`/${suite.suiteId}?case=${caseId}`)
      const { page } = screen
      const editor = page.getByRole('complementary', { name: 'Case' })
      await editor.getByLabel('Category').fill('typed')
      await page.route(`**/cases/${caseId}`, (route) => route.fulfill({ status: 500 }))
      // A page that becomes visible again reloads data that is older than some seconds.
      await page.clock.setFixedTime(Date.now() + 60_000)
      await page.evaluate('void dispatchEvent(new Event("visibilitychange"))')
      await editor.getByText('The case could not be loaded').waitFor()
      expect(await editor.getByLabel('Category').inputValue()).toBe('typed')
      await page.unroute(`**/cases/${caseId}`)
      await editor.getByRole('button', { name: 'Try again' }).click()
      await editor.getByText('The case could not be loaded').waitFor({ state: 'detached' })
      expect(await editor.getByLabel('Category').inputValue()).toBe('typed')
      await close(screen, /status of 500/)
    })

    it('show the pass rate of each, and compare both: improved, regressed or unchanged', async () => {
      const screen = await open(`/${suite.suiteId}?tab=runs`)
      const { page } = screen
      const bars = page.getByRole('figure').getByRole('link')
      await bars.first().waitFor()
      const names = await bars.evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')))
      expect(names).toEqual([
        expect.stringMatching(/^Before: 50 %, /),
        expect.stringMatching(/^After: 75 %, /),
      ])
      await page.getByRole('link', { name: 'Compare two runs' }).click()
      await row(page, /^Passed 50 % \(2 of 4\) 75 % \(3 of 4\) \+25 points/).waitFor()
      await row(page, /^Got worse west .* Passed Failed$/).waitFor()
      await row(page, /^Got better south .* Failed Passed$/).waitFor()
      await page.getByRole('button', { name: 'Got better 2' }).click()
      expect(new URL(page.url()).searchParams.get('change')).toBe('improved')
      await row(page, /^Got better south/).click()
      const detail = page.getByRole('complementary', { name: 'Case in both runs' })
      const [before, after] = [/in A/, /in B/].map((name) => detail.getByRole('region', { name }))
      await after?.locator('ins').waitFor()
      expect(await before?.locator('del').allInnerTexts()).toEqual(['nothing'])
      expect(await after?.locator('ins').allInnerTexts()).toEqual(['south'])
      await expectAccessible(page)
      // The reverse comparison, by the address.
      await page.getByLabel('A', { exact: true }).selectOption(runs[1])
      await page.getByLabel('B', { exact: true }).selectOption(runs[0])
      await page.getByRole('button', { name: 'Got worse 2' }).waitFor()
      expect(page.url()).toContain(`a=${runs[1]}&b=${runs[0]}`)
      await close(screen)
    })

    it('are an error if no case passed, and a warning if some cases failed', async () => {
      endpoint.answer = () => ({ body: { output: 'You said: nothing' } })
      await runThrough((await makeSuite('Lost', [['north', 'north']])).suiteId)
      const screen = await open('')
      const { page } = screen
      const kindOf = (name: string) =>
        row(page, new RegExp(`^${name}.*1 failed`))
          .locator('[data-status]')
          .getAttribute('data-status')
      expect(await kindOf('Lost')).toBe('error')
      expect(await kindOf('Compass')).toBe('warning')
      await close(screen)
    })

    it('are named and deleted', async () => {
      const runId = await runThrough(suite.suiteId)
      const screen = await open(`/runs/${runId}`)
      const { page } = screen
      const more = page.getByRole('button', { name: 'More about this run' })
      await more.click()
      await page.getByRole('menuitem', { name: 'Name and notes…' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Kept for a while')
      await page.getByRole('textbox', { name: 'Notes' }).fill('Why it ran')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'Kept for a while' }).waitFor()
      await page.getByText('Why it ran').waitFor()
      await more.click()
      const file = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: 'Download as JUnit XML' }).click()
      expect((await file).suggestedFilename()).toBe(`${runId}.xml`)
      await more.click()
      await page.getByRole('menuitem', { name: 'Delete run…' }).click()
      await page.getByRole('dialog').getByText('its 4 results').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete run' }).click()
      await row(page, /After/).waitFor()
      const { runs: left } = await client.testing.runs.page(projectId, { suite_id: suite.suiteId })
      expect(left.map(({ run_id }) => run_id)).toEqual([runs[1], runs[0]])
      await close(screen)
    })

    it.each([
      { look: 'dark', options: { dark: true }, count: 2 },
      { look: 'on a phone', options: { width: 390, height: 844 }, count: 6 },
    ])('are accessible $look', async ({ options, count }) => {
      const { suiteId, caseIds } = suite
      const [a, b] = runs
      const places = [
        `/runs/${a}?case=${caseIds[1]}`,
        `/compare?a=${a}&b=${b}`,
        '',
        `/${suiteId}`,
        `/${suiteId}?tab=runs`,
        `/${suiteId}?tab=settings`,
      ]
      const screen = await open('', options)
      const { page } = screen
      for (const place of places.slice(0, count)) {
        await page.goto(`${dashboard.server.url}/projects/${projectId}/tests${place}`)
        await page
          .getByText(/Compass|Compare|Before/)
          .first()
          .waitFor()
        await page.locator('.animate-pulse').first().waitFor({ state: 'detached' })
        await expectAccessible(page)
      }
      await close(screen)
    })
  })

  it('have a target that is changed, and are deleted after their name is typed', async () => {
    const { suiteId } = await makeSuite('Soon gone', [['q', 'q']])
    const screen = await open(`/${suiteId}?tab=settings`)
    const { page } = screen
    await page.getByLabel('Headers').fill('authorization: Bearer words-nobody-reads')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByText('Stored headers: authorization').waitFor()
    expect(await page.content()).not.toContain('words-nobody-reads')
    expect((await client.testing.suites.get(projectId, suiteId)).target).toMatchObject({
      type: 'http',
      header_names: ['authorization'],
    })
    await page.getByRole('button', { name: 'Delete suite…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('its 1 case and all its runs').waitFor()
    expect(await dialog.getByRole('button', { name: 'Delete suite' }).isDisabled()).toBe(true)
    await dialog.getByLabel(/to confirm/).fill('Soon gone')
    await dialog.getByRole('button', { name: 'Delete suite' }).click()
    await row(page, /By hand/).waitFor()
    expect(await row(page, /Soon gone/).count()).toBe(0)
    await close(screen)
  })
})
