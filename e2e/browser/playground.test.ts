import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Client, createClient } from '@cairn/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Script, StubProvider } from '../support/provider.ts'
import { adminToken } from '../support/server.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath } from './chromium.ts'
import { Dashboard } from './dashboard.ts'
import { colourOf } from './in-page.ts'
import { asFile, chatClient, handbookPath } from './sample-chats.ts'

const run = promisify(execFile)
const leave = 'How many days of paid leave do new staff get?'
const evil = '<img src=x onerror="document.title=1">'

/** Made with another model, so that the answer quotes the documents. */
const quoted = 'cairn-extractive'

describe.skipIf(!chromiumPath)('the playground', () => {
  let provider: StubProvider
  let dashboard: Dashboard
  let admin: Client
  let projectId: string
  let chatId: string
  let byKey: Client
  let answer: Script

  beforeAll(async () => {
    provider = await StubProvider.start()
    provider.script = () => answer
    dashboard = await Dashboard.start(provider.env())
    admin = createClient({ baseUrl: dashboard.server.url, adminToken })
    projectId = (await admin.console.projects.create({ name: 'Ferry' })).project_id
  })
  beforeEach(async () => {
    answer = { pieces: ['New staff get **27 days** of paid leave', ' a year.[^0]'] }
    const chat = await admin.console.chats.create(projectId, { title: 'Handbook', publish: true })
    chatId = chat.chat_id
    byKey = await chatClient(admin, dashboard.server.url, chatId)
    const file = asFile('handbook.md', readFileSync(handbookPath, 'utf8'))
    await byKey.documents.upload(chatId, { file, scopeValues: { team: 'crew' } })
  })
  afterAll(async () => {
    await dashboard?.stop()
    provider?.stop()
  })

  const open = (path = 'playground', options = {}) =>
    dashboard.open(`/projects/${projectId}/chats/${chatId}/${path}`, options)
  const ask = async (page: Page, question = leave) => {
    await page.getByLabel('Question').fill(question)
    await page.getByLabel('Question').press('Enter')
    return page.getByRole('article', { name: question })
  }
  const askedLast = () => provider.calls.filter(({ path }) => !path.includes('embed')).at(-1)?.body

  it('answers with small numbers that show the sentence and open the document at it, lit', async () => {
    const { page, problems } = await open()
    const turn = await ask(page)
    await turn.getByText('Code').waitFor()
    await turn.locator('strong', { hasText: '27 days' }).waitFor()
    const mark = turn.getByRole('button', { name: 'Source 1: handbook.md' })
    await mark.hover()
    await page.getByRole('tooltip').getByText('New staff get 27 days of paid leave a year.').waitFor()
    await page.mouse.move(0, 0, { steps: 5 })
    // What the answer did not use is told apart from what it did.
    const used = turn.getByRole('list', { name: 'Used by the answer', exact: true }).getByRole('listitem')
    expect(await used.count()).toBe(1)
    await turn.getByText(/Also found, but not used \(\d\)/).click()
    const unused = turn.getByRole('list', { name: 'Not used by the answer' })
    expect(await unused.getByRole('listitem').count()).toBeGreaterThan(1)
    expect(await colourOf(used.first())).not.toBe(await colourOf(unused.getByRole('button').first()))
    // Model, tokens, credits, time and which settings.
    for (const fact of ['gpt-4o-mini', '1,200 in, 34 out', '1.234 credits', 'Published settings']) {
      await turn.getByText(fact, { exact: true }).waitFor()
    }
    await expectAccessible(page)

    await mark.click()
    const panel = page.getByRole('complementary', { name: 'handbook.md' })
    await panel.locator('mark').waitFor()
    expect(await panel.locator('mark').innerText()).toBe('New staff get 27 days of paid leave a year.')
    const lit = panel.locator('article[aria-current]')
    expect(await lit.getAttribute('aria-label')).toBe('Chunk 2')
    expect(await lit.innerText()).toContain('Leave')
    const neighbour = panel.getByRole('article', { name: 'Chunk 1', exact: true })
    expect(await colourOf(neighbour.locator('p'))).not.toBe(await colourOf(lit.locator('p')))
    await expectAccessible(page)
    // The place is in the address: a reload shows the same answer and the same passage.
    await page.reload()
    await panel.locator('mark').waitFor()
    await turn.locator('strong', { hasText: '27 days' }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('shows the answer as it comes, says so once to those who listen, and stops it', async () => {
    const { page, problems } = await open()
    answer = { pieces: ['The first words', ' and more'], ending: 'hang' }
    const turn = await ask(page)
    await turn.getByText('The first words and more').waitFor()
    const status = page.getByRole('status').filter({ hasText: 'answer' })
    expect(await status.innerText()).toBe('The answer is being written')
    expect(await page.getByRole('button', { name: 'Ask', exact: true }).isDisabled()).toBe(true)
    // It goes on while one looks elsewhere.
    await page.getByRole('link', { name: 'Scopes' }).click()
    await page.getByRole('heading', { name: 'Scopes' }).waitFor()
    await page.getByRole('link', { name: 'Playground' }).click()
    await turn.getByText('The first words and more').waitFor()
    await turn.getByRole('button', { name: 'Stop' }).click()
    await turn.getByText('Stopped before the answer was complete').waitFor()
    await expect.poll(() => provider.calls.at(-1)?.aborted).toBe(true)

    answer = { pieces: ['All of it.[^0]'] }
    const next = await ask(page, 'And how much leave after five years?')
    await next.getByText('Code').waitFor()
    await page.getByRole('status').filter({ hasText: 'All of it. 1 source.' }).waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('tells when the first word of an answer came', async () => {
    const { page, problems } = await open()
    const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
    answer = {
      pieces: ['The first words', ' and more.[^0]'],
      before: (index) => (index === 1 ? isRead : undefined),
    }
    const asked = performance.now()
    const turn = await ask(page)
    await turn.getByText('The first words').waitFor()
    const firstMs = performance.now() - asked
    // The rest of the answer comes after more than twice the time of the first word.
    await pause(firstMs + 100)
    read()
    await turn.getByText('Code').waitFor()
    const title = await turn.getByTitle(/^First word after/).getAttribute('title')
    const [, shown, unit] = /([\d.]+) (ms|s)$/.exec(title ?? '') ?? []
    expect(Number(shown) * (unit === 's' ? 1000 : 1)).toBeLessThan(firstMs + 10)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('is in the usage of the project, with the tokens in and out of its answers', async () => {
    await byKey.answers.ask(chatId, { question: leave })
    const { page, problems } = await dashboard.open(`/projects/${projectId}/settings/usage?group=chat`)
    await page.getByRole('row', { name: new RegExp(`^${chatId} 1 1,200 34 `) }).waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('shows what a model writes as text, whatever it is', async () => {
    const { page, problems } = await open()
    answer = {
      pieces: [
        `${evil} [a](javascript:alert(1))\n\n- one\n- two\n\n\`\`\`\n${evil}\n\`\`\`\n\n|a|b|\n|-|-|\n|1|2|`,
      ],
    }
    const turn = await ask(page)
    await turn.getByText('Code').waitFor()
    await turn.getByText(`${evil} [a](javascript:alert(1))`).waitFor()
    expect(await turn.locator('pre').innerText()).toBe(evil)
    expect(await turn.locator('ul > li').allInnerTexts()).toEqual(['one', 'two'])
    expect(await turn.locator('table td').allInnerTexts()).toEqual(['1', '2'])
    expect(await turn.locator('img, a').count()).toBe(0)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('says what went wrong in the words of the server, keeps the question, and tries again', async () => {
    const { page } = await open()
    answer = { refuse: { status: 400, body: { error: { message: 'no such model here' } } } }
    const turn = await ask(page)
    await turn.getByRole('alert').waitFor()
    expect(await turn.getByRole('alert').innerText()).toMatch(/model/)
    answer = { pieces: ['Now it works.'] }
    await turn.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Now it works.', { exact: true }).waitFor()
    await page.context().close()
  })

  it('asks with filters, another model, and the draft or the published settings', async () => {
    await admin.console.chats.update(chatId, { settings: { custom_prompt: 'Speak like a draft.' } })
    const { page, problems } = await open()
    expect(await page.getByLabel('Settings', { exact: true }).inputValue()).toBe('published')
    await page.getByLabel('Settings', { exact: true }).selectOption('draft')
    const draft = await ask(page)
    await draft.getByText('Code').waitFor()
    await draft.getByText('Draft settings', { exact: true }).waitFor()
    expect(JSON.stringify(askedLast())).toContain('Speak like a draft.')
    await page.getByLabel('Settings', { exact: true }).selectOption('published')
    const published = await ask(page, 'What leave is published?')
    await published.getByText('Published settings', { exact: true }).waitFor()
    expect(JSON.stringify(askedLast())).not.toContain('Speak like a draft.')

    await page.getByRole('button', { name: 'Scopes' }).click()
    await page.getByRole('button', { name: 'Add a scope' }).click()
    await page.getByLabel('Name').fill('team')
    await page.getByLabel('Value').fill('office')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'team: office' }).waitFor()
    await page.getByLabel('Model').selectOption(quoted)
    const filtered = await ask(page, 'When is the fire drill?')
    await filtered.getByText(quoted).waitFor()
    await filtered.getByText('team: office').waitFor()
    expect(await filtered.getByRole('button', { name: /^Source/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'team: office' }).click()
    await page.getByRole('button', { name: 'Remove all filters' }).click()
    const whole = await ask(page, 'On which day is the fire drill?')
    await whole
      .getByText(/A fire drill is held on the first Tuesday/)
      .first()
      .waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('offers the scopes that the chat defines as filters', async () => {
    await byKey.scopes.configure(chatId, { scopes: [{ name: 'year', type: 'number', required: true }] })
    const { page } = await open()
    await page.getByRole('button', { name: 'Scopes' }).click()
    await page.getByLabel('year', { exact: true }).fill('2025')
    await page.getByRole('button', { name: 'Apply' }).click()
    const turn = await ask(page, 'What is new?')
    await turn.getByText('year: 2025').waitFor()
    await turn.getByRole('button', { name: 'Code' }).click()
    await page.getByText(/"year": 2025/).waitFor()
    await page.context().close()
  })

  it('keeps a conversation, begins new ones, and leads back to earlier ones', async () => {
    const { page } = await open()
    answer = { pieces: ['It has two decks.[^0]'] }
    await (await ask(page, 'How many decks has the ferry?')).getByText('Code').waitFor()
    await (await ask(page, 'And cars on the ferry?')).getByText('Code').waitFor()
    expect(JSON.stringify(askedLast())).toContain('How many decks has the ferry?')
    await page.getByRole('button', { name: 'New conversation' }).click()
    await page.getByRole('heading', { name: 'Ask the first question' }).waitFor()
    await (await ask(page, 'Are dogs allowed on the ferry?')).getByText('Code').waitFor()
    expect(JSON.stringify(askedLast())).not.toContain('How many decks')
    await page.getByRole('button', { name: 'Earlier' }).click()
    await page.getByRole('menuitem', { name: /How many decks has the ferry.*2 questions/ }).click()
    await page.getByRole('article', { name: 'And cars on the ferry?' }).waitFor()
    await page.goBack()
    await page.getByRole('article', { name: 'Are dogs allowed on the ferry?' }).waitFor()
    await page.context().close()
  })

  it('rates an answer, with a comment, and takes the rating back', async () => {
    const { page, problems } = await open()
    const turn = await ask(page, 'Is the ferry late?')
    const thumb = (name: string) => turn.getByRole('button', { name })
    await thumb('Bad answer').click()
    await thumb('Comment on the rating').click()
    await page.getByLabel('Comment', { exact: true }).fill('The year is missing.')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save comment' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.reload()
    expect(await thumb('Bad answer').getAttribute('aria-pressed')).toBe('true')
    expect(await thumb('Good answer').getAttribute('aria-pressed')).toBe('false')
    const { api_key: apiKey } = await admin.console.keys.createForProject(projectId)
    const project = createClient({ baseUrl: dashboard.server.url, apiKey })
    const traces = await Array.fromAsync(project.traces.list(projectId, { 'score.user_feedback': '0' }))
    expect(traces.map(({ input }) => input)).toEqual(['Is the ferry late?'])
    const scores = () => project.scores.list(projectId, traces[0]?.trace_id ?? '')
    expect(await scores()).toMatchObject([{ value: 0, comment: 'The year is missing.' }])
    await thumb('Bad answer').click()
    await thumb('Comment on the rating').waitFor({ state: 'detached' })
    expect(await scores()).toEqual([])
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('gives the very request as code that runs', async () => {
    const { page } = await open()
    await page.getByLabel('Settings', { exact: true }).selectOption('published')
    answer = { pieces: ["It is the crew's.[^0]"] }
    const turn = await ask(page, "Whose is the crew's list?")
    await turn.getByRole('button', { name: 'Code' }).click()
    const dialog = page.getByRole('dialog')
    const codeOf = async (language: string) => {
      await dialog.getByRole('tab', { name: language }).click()
      return (await dialog.getByRole('tabpanel').locator('pre').innerText()).replace('YOUR_API_KEY', key)
    }
    const { api_key: key } = await admin.console.keys.createForChat(chatId)
    const shell = (await run('bash', ['-c', await codeOf('curl')])).stdout
    expect(shell).toContain('"data":"It is the crew\'s.[^0]"')
    const script = (
      await run(process.execPath, ['--input-type=module-typescript', '-e', await codeOf('TypeScript')])
    ).stdout
    expect(script).toContain("It is the crew's.[^0]")
    expect(script).toContain("type: 'end'")
    expect(await codeOf('Python')).toContain(`/v1/${chatId}/answer_question_stream`)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByLabel('Settings', { exact: true }).selectOption('draft')
    answer = { pieces: ['By the draft.[^0]'] }
    await (await ask(page, 'Whose leave is the draft?')).getByRole('button', { name: 'Code' }).click()
    const { api_key: adminKey } = await admin.console.keys.createForChat(chatId, { permissions: ['admin'] })
    const draft = (await codeOf('TypeScript')).replace(key, adminKey)
    expect((await run(process.execPath, ['--input-type=module-typescript', '-e', draft])).stdout).toContain(
      'By the draft.[^0]',
    )
    await page.context().close()
  })

  it('works on a phone and in the dark, and teaches when there is nothing to ask about', async () => {
    const { page } = await open('playground', { width: 390, height: 844, dark: true })
    const turn = await ask(page)
    await turn.getByText('Code').waitFor()
    await expectAccessible(page)
    await turn.getByRole('button', { name: 'Source 1: handbook.md' }).click()
    await page.locator('mark').waitFor()
    await expectAccessible(page)
    await page.context().close()

    const { chat_id: emptyId } = await admin.console.chats.create(projectId, { title: 'Empty' })
    const { page: empty } = await dashboard.open(`/projects/${projectId}/chats/${emptyId}`)
    await empty.getByRole('heading', { name: 'The chat has no files yet' }).waitFor()
    await expectAccessible(empty)
    await empty.getByRole('link', { name: 'Upload files' }).click()
    await empty.getByRole('heading', { name: 'No files yet' }).waitFor()
    await empty.context().close()
  })
})
