import { type Client, createClient } from '@cairn/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { StubProvider } from '../support/provider.ts'
import { adminToken } from '../support/server.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath } from './chromium.ts'
import { Dashboard } from './dashboard.ts'

/** A time limit for a busy machine. */
const poll = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 15_000 })

describe.skipIf(!chromiumPath)('sessions and scores on the dashboard', () => {
  let dashboard: Dashboard
  let admin: Client['console']
  let client: Client
  let projectId: string
  let emptyId: string
  let page: Page
  let problems: string[]

  beforeAll(async () => {
    dashboard = await Dashboard.start()
    const baseUrl = dashboard.server.url
    admin = createClient({ baseUrl, adminToken }).console
    projectId = (await admin.projects.create({ name: 'Library' })).project_id
    emptyId = (await admin.projects.create({ name: 'Empty' })).project_id
    const { api_key: apiKey } = await admin.keys.createForProject(projectId)
    client = createClient({ baseUrl, apiKey })
    const from = Date.now() - 3_600_000
    const { results } = await client.traces.createBatch(
      projectId,
      Array.from({ length: 120 }, (_, place) => ({
        input: JSON.stringify([
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: `question ${place}` },
        ]),
        output: `answer ${place}`,
        status: place === 61 ? ('error' as const) : ('success' as const),
        session_id: place < 60 ? 'long/visit' : `visit ${place % 3}`,
        environment: place % 2 === 0 ? 'production' : 'staging',
        created_at: new Date(from + place * 1000).toISOString(),
      })),
    )
    const ids = results.flatMap((result) => ('trace_id' in result ? result.trace_id : []))
    for (const [place, value] of [0.1, 0.5, 0.9].entries()) {
      await client.scores.create(projectId, ids[place] ?? '', {
        name: 'helpful',
        value,
        comment: `comment ${place}`,
      })
    }
    await client.scorers.judge(projectId, { scorer_slug: 'conciseness', trace_id: ids[3] ?? '' })
    ;({ page, problems } = await dashboard.open(`/projects/${projectId}`))
    page.setDefaultTimeout(15_000)
  })
  afterAll(() => dashboard?.stop())

  const at = (path: string) => `${dashboard.server.url}/projects/${projectId}${path}`
  const cells = (column: number) =>
    page.locator(`tbody tr[data-index] td:nth-child(${column})`).allInnerTexts()
  const search = () => new URL(page.url()).searchParams
  const fresh = () => problems.splice(0)

  it('lists sessions, and reads one as a conversation whose turns open their traces', async () => {
    await page.goto(at(''))
    await page.getByRole('link', { name: 'Sessions' }).click()
    await poll(() => cells(1)).toEqual(['visit 2', 'visit 1', 'visit 0', 'long/visit'])
    expect(await cells(5)).toEqual(['20', '20', '20', '60'])
    await expectAccessible(page)
    await page.locator('tbody tr[data-index]').last().click()
    const turns = page.getByRole('list', { name: 'Turns' }).getByRole('listitem')
    await poll(() => turns.count()).toBe(50)
    expect((await turns.first().innerText()).split('\n').slice(0, 2)).toEqual(['question 0', 'answer 0'])
    await page.getByRole('button', { name: 'Later turns' }).click()
    await poll(() => turns.count()).toBe(60)
    await turns.nth(1).getByRole('button').click()
    const panel = page.getByRole('complementary', { name: 'Trace' })
    await panel.getByText('answer 1', { exact: true }).waitFor()
    await page.reload()
    await panel.getByText('answer 1', { exact: true }).waitFor()
    await expectAccessible(page)
    await panel.getByRole('link', { name: 'long/visit' }).click()
    await panel.waitFor({ state: 'detached' })
    expect(fresh()).toEqual([])
  })

  it('shows the times of the last and the first trace of a session', async () => {
    const { sessions } = await client.sessions.page(projectId)
    const long = sessions.find(({ session_id }) => session_id === 'long/visit')
    await page.goto(at('/sessions'))
    const times = page.getByRole('row', { name: /long\/visit/ }).locator('time')
    await times.first().waitFor()
    const shown = await times.evaluateAll((all) => all.map((time) => time.getAttribute('datetime')))
    expect(shown).toEqual([long?.last_trace_at, long?.first_trace_at])
    expect(fresh()).toEqual([])
  })

  it('filters sessions by their traces', async () => {
    await page.goto(at('/sessions?status=error'))
    await poll(() => cells(1)).toEqual(['visit 1'])
    await page.goto(at('/sessions?min_cost=x'))
    await page.getByRole('alert').getByText('min_cost must be a number').waitFor()
    fresh()
  })

  it('lists scores by scorer, source, name, value and period, each with its trace', async () => {
    await page.goto(at('/scores'))
    await poll(() => cells(2)).toEqual(['conciseness', 'helpful', 'helpful', 'helpful'])
    await expectAccessible(page)
    await page.getByLabel('Scorer').selectOption('conciseness')
    await poll(() => cells(2)).toEqual(['conciseness'])
    await page.getByLabel('Scorer').selectOption('')
    await page.getByLabel('Value at least').fill('0.4')
    await page.getByLabel('Value at most').fill('0.6')
    await page.keyboard.press('Enter')
    await poll(() => cells(3)).toEqual(['0.50'])
    expect([...search()]).toEqual([
      ['min_value', '0.4'],
      ['max_value', '0.6'],
    ])
    await page.locator('tbody tr[data-index]').first().click()
    await page.getByRole('complementary', { name: 'Trace' }).getByText('answer 1', { exact: true }).waitFor()
    await page.goto(at('/scores?source=human&name=helpful&period=1h'))
    await poll(() => cells(5)).toEqual(['comment 2', 'comment 1', 'comment 0'])
    expect(await cells(4)).toEqual(['question 2', 'question 1', 'question 0'])
    await page.goto(at('/scores?min_value=much'))
    await page.getByRole('alert').getByText('min_value must be a number').waitFor()
    fresh()
  })

  it('scores the traces of a filter in the background, and shows the progress', async () => {
    await page.goto(at('/traces?environment=production'))
    await page.getByRole('button', { name: 'Score these' }).click()
    const dialog = page.getByRole('dialog', { name: 'Score traces' })
    await dialog.getByText('production').waitFor()
    await dialog.getByLabel('Scorer', { exact: true }).selectOption('toxicity')
    await dialog.getByLabel('Limit').fill('')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Start scoring' }).click()
    await dialog.getByRole('link', { name: 'See the progress' }).click()
    await page.getByText('60 of 60').waitFor()
    await page.getByText('Completed').waitFor()
    const { scorings } = await client.judging.batches.page(projectId)
    expect(scorings.map(({ scorer, filter, done }) => [scorer, filter, done])).toEqual([
      ['toxicity', { environment: 'production' }, 60],
    ])
    await page.locator('tbody tr[data-index]').first().click()
    const panel = page.getByRole('complementary', { name: 'Batch of toxicity' })
    await panel.getByText('Environment production').waitFor()
    expect(search().get('batch')).toBe(scorings[0]?.scoring_id)
    await expectAccessible(page)
    expect(fresh()).toEqual([])
  })

  it('creates, enables, disables and deletes rules', async () => {
    await page.goto(at('/scores?tab=rules'))
    await page.getByText('No rules yet').waitFor()
    await page.getByRole('button', { name: 'New rule' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New rule' })
    await dialog.getByLabel('Name').fill('Live tone')
    await dialog.getByLabel('Scorer').selectOption('toxicity')
    await dialog.getByLabel('Sample, %').fill('20')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    const toggle = page.getByRole('switch', { name: 'Live tone scores new traces' })
    await poll(() => toggle.getAttribute('aria-checked')).toBe('true')
    await toggle.click()
    await poll(() => toggle.getAttribute('aria-checked')).toBe('false')
    const rules = await client.judging.rules.list(projectId)
    expect(rules.map(({ name, sample_rate, enabled }) => [name, sample_rate, enabled])).toEqual([
      ['Live tone', 0.2, false],
    ])
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Delete the rule Live tone' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click()
    await page.getByText('No rules yet').waitFor()
    expect(await client.judging.rules.list(projectId)).toEqual([])
    expect(fresh()).toEqual([])
  })

  it('creates scorers of the project, and changes them', async () => {
    await page.goto(at('/scores?tab=judges'))
    await page.getByText('A scorer of your own is a prompt for a model').waitFor()
    await page.getByRole('button', { name: 'New scorer' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Slug').fill('toxicity')
    await dialog.getByLabel('Description').fill('whether it is friendly')
    await dialog.getByLabel('Prompt').fill('Is it friendly?')
    await dialog.getByLabel('Choice 1', { exact: true }).fill('friendly')
    await dialog.getByLabel('Choice 2', { exact: true }).fill('friendly')
    await dialog.getByText('The choice “friendly” is repeated').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Choice 2', { exact: true }).fill('rude')
    const create = dialog.getByRole('button', { name: 'Create scorer' })
    await create.click()
    await dialog.getByText('slug toxicity is a built-in scorer').waitFor()
    await dialog.getByLabel('Slug').fill('tone')
    await create.click()
    await dialog.getByText('prompt must contain {{output}}').waitFor()
    await dialog.getByLabel('Prompt').fill('Is {{output}} friendly?')
    await dialog.getByRole('button', { name: 'Add a choice' }).click()
    await dialog.getByLabel('Choice 3', { exact: true }).fill('neither')
    await dialog.getByLabel('Score of choice 3').fill('0.4')
    await create.click()
    const panel = page.getByRole('complementary', { name: 'tone' })
    await panel.getByText('Is {{output}} friendly?').waitFor()
    expect(search().get('judge')).toBe('tone')
    await poll(() => cells(1)).toContain('tone')
    expect(await client.scorers.get(projectId, 'tone')).toMatchObject({
      description: 'whether it is friendly',
      prompt: 'Is {{output}} friendly?',
      choices: { friendly: 1, rude: 0, neither: 0.4 },
      model: null,
    })
    await expectAccessible(page)

    await panel.getByRole('button', { name: 'Edit the scorer' }).click()
    await dialog.getByRole('button', { name: 'Remove choice 2' }).click()
    await dialog.getByLabel('Model').selectOption('gpt-4o-mini')
    await dialog.getByLabel('Description').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await panel.getByText('gpt-4o-mini').waitFor()
    expect(await client.scorers.get(projectId, 'tone')).toMatchObject({
      description: null,
      choices: { friendly: 1, neither: 0.4 },
      model: 'gpt-4o-mini',
    })

    // The browser logs the two rejected requests.
    expect(fresh().filter((problem) => !/status of (400|409)/.test(problem))).toEqual([])
  })

  it('scores with a scorer of the project, and names the rules that use it before it is deleted', async () => {
    const provider = await StubProvider.start()
    onTestFinished(async () => {
      await admin.providers.delete('openai')
      provider.stop()
    })
    provider.script = () => ({ pieces: [JSON.stringify({ choice: 'curt', reasoning: 'no greeting' })] })
    await admin.providers.set('openai', { api_key: 'sk-stub', base_url: `${provider.url}/openai/v1` })
    await client.scorers.create(projectId, {
      slug: 'manner',
      prompt: 'Is {{output}} polite?',
      choices: { polite: 1, curt: 0.4 },
      model: 'gpt-4o-mini',
    })
    await page.goto(at('/traces'))
    await page.locator('tbody tr[data-index]').first().click()
    await page.getByRole('button', { name: 'Score', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Scorer', { exact: true }).selectOption('manner')
    await dialog.getByText('Scored by the model gpt-4o-mini.').waitFor()
    await dialog.getByRole('button', { name: 'Score', exact: true }).click()
    await dialog.getByText('curt: no greeting').waitFor()
    await page.keyboard.press('Escape')

    await page.goto(at('/scores?tab=rules'))
    await page.getByRole('button', { name: 'New rule' }).first().click()
    await dialog.getByLabel('Name').fill('Live manner')
    await dialog.getByLabel('Scorer').selectOption('manner')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    await page.getByRole('switch', { name: 'Live manner scores new traces' }).waitFor()
    await page.goto(at('/scores?tab=judges&judge=manner'))
    const panel = page.getByRole('complementary', { name: 'manner' })
    await panel.getByRole('button', { name: 'Delete the scorer' }).click()
    await dialog.getByText('1 rule would fail without it: Live manner.').waitFor()
    await dialog.getByRole('button', { name: 'Delete scorer' }).click()
    await panel.waitFor({ state: 'detached' })
    await poll(() => cells(1)).not.toContain('manner')
    await expect(client.scorers.get(projectId, 'manner')).rejects.toMatchObject({ status: 404 })
    await page.goto(at('/scores?name=manner'))
    await poll(() => cells(3)).toEqual(['0.40'])
    await page.goto(at('/scores?tab=judges&judge=toxicity'))
    await page.getByRole('complementary', { name: 'toxicity' }).getByText('Built in').waitFor()
    expect(await page.getByRole('button', { name: 'Delete the scorer' }).count()).toBe(0)
    expect(fresh()).toEqual([])
  })

  it('lists the scorers, and explains empty lists', async () => {
    await page.goto(at('/scores?tab=judges'))
    await poll(() => cells(1)).toContain('faithfulness')
    const { page: phone, problems: found } = await dashboard.open(`/projects/${emptyId}/scores`, {
      width: 390,
    })
    await phone.getByText('No scores yet').waitFor()
    await expectAccessible(phone)
    await phone.goto(`${dashboard.server.url}/projects/${emptyId}/scores?tab=batches`)
    await phone.getByText('No batches yet').waitFor()
    await phone.goto(`${dashboard.server.url}/projects/${emptyId}/sessions`)
    await phone.getByText('No sessions yet').waitFor()
    await expectAccessible(phone)
    expect(found).toEqual([])
    await phone.context().close()
    expect(fresh()).toEqual([])
  })
})
