import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { chromiumPath } from './chromium.ts'
import { Dashboard } from './dashboard.ts'

describe.skipIf(!chromiumPath)('an empty server', () => {
  let dashboard: Dashboard

  beforeAll(async () => {
    dashboard = await Dashboard.start()
  })
  afterAll(() => dashboard?.stop())

  it('leads a new user to a first cited answer and its trace', async () => {
    const { page, problems } = await dashboard.open('/')
    await page.getByRole('heading', { name: 'Welcome to Cairn' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Start with a first project' }).click()
    await page.getByRole('heading', { name: 'First project' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try it with sample documents' }).click()
    await page.waitForURL(/\/playground/)
    const question = page.getByRole('textbox', { name: 'Question' })
    expect(await question.inputValue()).toBe('How many days of paid leave do new staff get?')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByText('New staff get 27 days of paid leave a year.').first().waitFor()
    await page.getByRole('link', { name: 'Traces', exact: true }).first().click()
    await page.getByRole('row', { name: /How many days of paid leave/ }).waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('leads to a first trace: the shown code works unchanged, and the trace appears', async () => {
    const { page, problems } = await dashboard.open('/')
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByLabel('Name').fill('By command')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByText('Waiting for the first trace').waitFor()
    await page.getByRole('button', { name: 'Create a key for the code' }).click()
    await page.getByText('It is shown only once').waitFor()
    const command = await page.locator('pre').innerText()
    expect(command).toContain('Bearer tk_')
    await page.getByRole('tab', { name: 'TypeScript' }).click()
    const script = await page.locator('pre').innerText()
    await page.getByRole('tab', { name: 'OpenTelemetry' }).click()
    const settings = await page.locator('pre').innerText()
    const answer = execFileSync('bash', ['-c', command], { encoding: 'utf8' })
    const { trace_id: traceId } = JSON.parse(answer) as { trace_id: string }
    await page.getByText('The first trace has arrived.').waitFor()
    await page.getByRole('link', { name: 'Open it' }).click()
    await page.waitForURL((url) => url.pathname.endsWith(`/traces/${traceId}`))
    await page.getByText('Two bugs fixed, one option added.').first().waitFor()
    execFileSync(process.execPath, ['--input-type=module-typescript', '-e', script])
    const send = `curl -sS "$OTEL_EXPORTER_OTLP_ENDPOINT/v1/traces" -H "\${OTEL_EXPORTER_OTLP_HEADERS/=/: }" \\
      -H 'Content-Type: application/json' -d '{}'`
    expect(execFileSync('bash', ['-c', `${settings}\n${send}`], { encoding: 'utf8' })).toBe('{}')
    await page.getByRole('link', { name: 'Traces', exact: true }).first().click()
    // The page of the trace has read the list before the second trace.
    await page.reload()
    await page
      .getByRole('row', { name: /Summarise the release notes/ })
      .nth(1)
      .waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })
})
