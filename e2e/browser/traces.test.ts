import { readFile } from 'node:fs/promises'
import { type Client, createClient } from '@cairn/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken } from '../support/server.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath } from './chromium.ts'
import { Dashboard } from './dashboard.ts'
import { rgbOf, valueOn } from './in-page.ts'
import { longAgentTrace, samplePng } from './sample-agent.ts'
import { agentTrace } from './sample-traces.ts'

const listed = 350

/** A time limit for a busy machine. */
const poll = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 15_000 })

describe.skipIf(!chromiumPath)('traces on the dashboard', () => {
  let dashboard: Dashboard
  let client: Client
  let projectId: string
  let emptyId: string
  let agentId: string
  let longId: string
  let page: Page
  let problems: string[]

  beforeAll(async () => {
    dashboard = await Dashboard.start()
    const baseUrl = dashboard.server.url
    const { console: admin } = createClient({ baseUrl, adminToken })
    projectId = (await admin.projects.create({ name: 'Library' })).project_id
    emptyId = (await admin.projects.create({ name: 'Empty' })).project_id
    const { api_key: apiKey } = await admin.keys.createForProject(projectId)
    client = createClient({ baseUrl, apiKey })
    const from = Date.now() - 3_600_000
    await client.traces.createBatch(
      projectId,
      Array.from({ length: listed }, (_, place) => ({
        input: `question ${place}`,
        output: `answer ${place}`,
        model: place % 2 === 0 ? 'gpt-4o' : 'gpt-4o-mini',
        status: place % 10 === 0 ? ('error' as const) : ('success' as const),
        latency_ms: 100 + place,
        cost: place / 1000,
        tags: place % 7 === 0 ? ['seventh', 'web'] : ['web'],
        custom_attributes: { plan: place % 3 === 0 ? 'pro' : 'free' },
        session_id: `s-${place >> 2}`,
        user_id: 'ann',
        created_at: new Date(from - place * 1000).toISOString(),
      })),
    )
    agentId = (await client.traces.create(projectId, agentTrace(from + 60_000))).trace_id
    longId = (await client.traces.create(projectId, longAgentTrace(from - 86_400_000))).trace_id
    ;({ page, problems } = await dashboard.open(`/projects/${projectId}/traces`))
    page.setDefaultTimeout(15_000)
  })
  afterAll(() => dashboard?.stop())

  const at = (path = '') => `${dashboard.server.url}/projects/${projectId}${path}`
  const rows = () => page.locator('table[aria-label="Traces"] tbody tr[data-index]')
  const inputs = () => rows().locator('td:nth-child(4)').allInnerTexts()
  const search = () => new URL(page.url()).searchParams
  const chip = (text: string) => page.locator('[data-chip]', { hasText: text })
  const fresh = () => problems.splice(0)

  it('are a list that loads more on scrolling, with only the visible rows in the page', async () => {
    await page.goto(at('/traces'))
    await rows().first().waitFor()
    expect((await inputs()).slice(0, 4)).toEqual([
      'I have three books at home since May. What do I owe?',
      'question 0',
      'question 1',
      'question 2',
    ])
    expect(await rows().count()).toBeLessThan(60)
    const scroller = page.locator('[data-scroller]')
    await poll(async () => {
      await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return page.getByText(`question ${listed - 1}`, { exact: true }).count()
    }).toBe(1)
    await page.getByText(`${listed + 2} traces in total`).waitFor()
    expect(await rows().count()).toBeLessThan(60)
    expect(fresh()).toEqual([])
  })

  it('are filtered by chips in the address, which can be shared, reloaded, left by the back button, and removed', async () => {
    await page.goto(at('/traces'))
    await rows().first().waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Filter by').selectOption('tag')
    await page.getByLabel('Value').fill('seventh')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await chip('seventh').waitFor()
    await poll(inputs).toContain('question 7')
    expect(await inputs()).not.toContain('question 1')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Filter by').selectOption('latency')
    await page.getByLabel('At most').fill('150')
    await page.keyboard.press('Enter')
    await chip('≤ 150').waitFor()
    expect([...search()]).toEqual([
      ['tag', 'seventh'],
      ['max_latency_ms', '150'],
    ])
    const narrowed = Array.from({ length: 8 }, (_, place) => `question ${place * 7}`)
    await poll(inputs).toEqual(narrowed)
    await page.reload()
    await poll(inputs).toEqual(narrowed)
    await page.goBack()
    await poll(() => [...search().keys()]).toEqual(['tag'])
    await page.getByRole('button', { name: 'Remove the filter Tag: seventh' }).click()
    await poll(inputs).toContain('question 1')
    await page.goto(
      at('/traces?status=error&model=gpt-4o&attr.plan=pro&min_cost=0.05&max_cost=0.2&user_id=ann&period=24h'),
    )
    await poll(inputs).toEqual(['question 60', 'question 90', 'question 120', 'question 150', 'question 180'])
    await page.getByRole('button', { name: 'Clear' }).click()
    await poll(() => [...search()]).toEqual([])
    expect(fresh()).toEqual([])
  })

  it('are searched by text and by period', async () => {
    await page.goto(at('/traces'))
    await rows().first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('ANSWER 33')
    await page.keyboard.press('Enter')
    await poll(inputs).toEqual([
      'question 33',
      ...Array.from({ length: 10 }, (_, k) => `question ${330 + k}`),
    ])
    expect(search().get('q')).toBe('ANSWER 33')
    await page.getByRole('button', { name: 'All time' }).click()
    await page.getByRole('button', { name: 'Last hour' }).click()
    await page.getByText('No trace matches these filters').waitFor()
    expect(search().get('period')).toBe('1h')
    await page.getByRole('button', { name: 'Last hour' }).click()
    await page.getByLabel('From', { exact: true }).fill('2020-01-01T00:00')
    await page.getByRole('button', { name: 'Show this period' }).click()
    await poll(async () => (await inputs()).length).toBe(11)
    expect(search().get('start_date')).toBe('2020-01-01T00:00:00.000Z')
    expect(fresh()).toEqual([])
  })

  it('of a period include its start, but not its end', async () => {
    const { traces } = await client.traces.previewPage(projectId, { limit: 10 })
    const timeOf = (input: string) => traces.find((trace) => trace.input === input)?.created_at
    await page.goto(at(`/traces?start_date=${timeOf('question 5')}&end_date=${timeOf('question 2')}`))
    await poll(inputs).toEqual(['question 3', 'question 4', 'question 5'])
    expect(fresh()).toEqual([])
  })

  it('show the message of the server for rejected filters', async () => {
    await page.goto(at('/traces?min_latency_ms=9&max_latency_ms=1'))
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toBe('min_latency_ms must not be above max_latency_ms')
    await expectAccessible(page)
    fresh()
  })

  it('have named views', async () => {
    await page.goto(at('/traces?status=error&tag=web'))
    await rows().first().waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByLabel('View name').fill('Failures')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.goto(at('/traces'))
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Failures', exact: true }).click()
    await chip('error').waitFor()
    expect([...search()]).toEqual([
      ['status', 'error'],
      ['tag', 'web'],
    ])
    await page.goto(`${dashboard.server.url}/projects/${emptyId}/traces`)
    await page.getByText('No traces yet').waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    expect(await page.getByRole('button', { name: 'Failures', exact: true }).count()).toBe(0)
    expect(fresh()).toEqual([])
  })

  it('appear on top while the list is live, without moving the rows that are read', async () => {
    await page.goto(at('/traces?tag=live'))
    await page.getByText('No trace matches these filters').waitFor()
    await page.getByRole('button', { name: 'Live tail' }).click()
    expect(search().get('live')).toBe('1')
    const add = (input: string) => client.traces.create(projectId, { input, output: 'o', tags: ['live'] })
    await add('first')
    await poll(inputs).toEqual(['first'])
    await add('second')
    await poll(inputs).toEqual(['second', 'first'])
    await page.goto(at('/traces?live=1'))
    const scroller = page.locator('[data-scroller]')
    await rows().first().waitFor()
    await scroller.evaluate((element) => element.scrollTo(0, 640))
    const watched = page.getByRole('row', { name: /question 20 / })
    await watched.waitFor()
    const before = await watched.boundingBox()
    await add('third')
    await poll(() => scroller.evaluate((element) => element.scrollTop)).toBe(672)
    expect((await watched.boundingBox())?.y).toBe(before?.y)
    expect(fresh()).toEqual([])
  })

  it('all appear while the list is live, also if more than a page arrives between two polls', async () => {
    const yesterday = Date.now() - 86_400_000
    const flood = Array.from({ length: 250 }, (_, place) => ({
      input: `flood ${place}`,
      output: 'o',
      tags: ['flood'],
      created_at: new Date(yesterday + place).toISOString(),
    }))
    await client.traces.createBatch(projectId, flood.slice(0, 1))
    await page.goto(at('/traces?tag=flood&live=1'))
    await poll(inputs).toEqual(['flood 0'])
    await client.traces.createBatch(projectId, flood.slice(1))
    await page.getByText('250 traces in total').waitFor()
    const seen = new Map<number, string>()
    const scroller = page.locator('[data-scroller]')
    await poll(async () => {
      const inSight = await rows().evaluateAll((elements) =>
        elements.map((row) => [row.dataset.index, row.children[3]?.textContent] as const),
      )
      for (const [index, input] of inSight) seen.set(Number(index), input ?? '')
      await scroller.evaluate((element) => element.scrollBy(0, element.clientHeight / 2))
      return seen.size
    }).toBe(250)
    const inOrder = [...seen].sort(([a], [b]) => a - b).map(([, input]) => input)
    expect(inOrder).toEqual(flood.map(({ input }) => input).toReversed())
    expect(fresh()).toEqual([])
  })

  it('are red on errors and green on success, with prompt tokens before completion tokens', async () => {
    await page.goto(at('/traces'))
    const markOf = async (input: RegExp) => {
      const mark = page.getByRole('row', { name: input }).locator('[data-status]')
      const [red, green] = await rgbOf(mark)
      return [(await mark.innerText()).trim(), red > green ? 'red' : 'green']
    }
    await rows().first().waitFor()
    expect(await markOf(/question 10 /)).toEqual(['Error', 'red'])
    expect(await markOf(/question 9 /)).toEqual(['Success', 'green'])
    const agent = page.getByRole('row', { name: /three books/ })
    expect(await agent.getByRole('cell', { name: '→' }).innerText()).toBe('2,140 → 186')
    expect(fresh()).toEqual([])
  })

  it('open beside the list, also by keyboard, and on a separate page', async () => {
    await page.goto(at('/traces?tag=seventh'))
    await rows().first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Trace' })
    await panel.getByText('question 7', { exact: true }).waitFor()
    const first = search().get('trace')
    await page.keyboard.press('ArrowDown')
    await panel.getByText('question 14', { exact: true }).waitFor()
    expect(search().get('trace')).not.toBe(first)
    await page.reload()
    await panel.getByText('answer 14', { exact: true }).waitFor()
    await expectAccessible(page)
    const opened = search().get('trace')
    await panel.getByRole('button', { name: 'Open the full page' }).click()
    await page.getByRole('heading', { level: 1, name: opened ?? '' }).waitFor()
    await page.goBack()
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(search().has('trace')).toBe(false)
    expect(fresh()).toEqual([])
  })

  it('have a summary line, and show conversations as messages, as JSON and as text', async () => {
    await page.goto(at(`/traces/${agentId}`))
    const facts = page.getByRole('list', { name: 'Summary' })
    await facts.waitFor()
    expect((await facts.innerText()).split('\n')).toEqual(
      expect.arrayContaining([
        'Success',
        '3.18 s',
        '$0.0072',
        '2,140 → 186 tokens',
        'gpt-4o',
        'version 1.4.0',
      ]),
    )
    const input = page.getByRole('region', { name: 'Input', exact: true })
    expect(
      await input
        .locator('[data-role]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-role'))),
    ).toEqual(['system', 'user'])
    await input.getByRole('button', { name: 'JSON' }).click()
    await input.getByText('I have three books').waitFor()
    await input.getByRole('button', { name: '1: {2}' }).click()
    await input.getByText('I have three books').waitFor({ state: 'detached' })
    await input.getByRole('button', { name: 'Text' }).click()
    await input.getByText('[{"role":"system"').waitFor()
    await page.getByText('find_loans').nth(1).waitFor()
    await page.getByText('Tokens and cost').click()
    expect(await page.getByRole('table', { name: 'Cost' }).innerText()).toMatch(
      /Model\s+\$0.0071\s+Embedding\s+\$0.00011/,
    )
    await expectAccessible(page)
    expect(fresh()).toEqual([])
  })

  it('show their spans as a waterfall that is collapsed and navigated by keyboard', async () => {
    await page.goto(at(`/traces/${agentId}`))
    const tree = page.getByRole('tree', { name: 'Spans' })
    await tree.waitFor()
    const names = async () =>
      (await tree.getByRole('treeitem').allInnerTexts()).map((text) => text.split('\n')[0])
    const all = [
      'answer-reader',
      'retrieve rules',
      'embed question',
      'plan',
      'tools',
      'find_loans',
      'fee_of',
      'fee_of (second try)',
      'write answer',
    ]
    await poll(names).toEqual(all)
    const failed = tree.getByRole('treeitem', { name: /^fee_of tool 150 ms\s*, 150 ms self time, failed$/ })
    expect(await failed.getAttribute('aria-level')).toBe('3')
    const root = tree.getByRole('treeitem', { name: /^answer-reader/ })
    expect(await root.locator('[data-self]').count()).toBe(5)
    await tree.focus()
    await page.keyboard.press('ArrowDown')
    expect(search().get('span')).toBe('a')
    await page.keyboard.press('End')
    for (let up = 0; up < 4; up++) await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowLeft')
    await poll(names).toEqual([
      'answer-reader',
      'retrieve rules',
      'embed question',
      'plan',
      'tools',
      'write answer',
    ])
    await page.keyboard.press('ArrowRight')
    await poll(names).toEqual(all)
    await page.keyboard.press('ArrowRight')
    await page.getByRole('region', { name: 'Span find_loans' }).getByText('rows: 3').waitFor()
    await failed.click()
    await page.getByRole('region', { name: 'Span fee_of' }).getByText('timeout after 150 ms').waitFor()
    await expectAccessible(page)
    await page.reload()
    await page.getByRole('region', { name: 'Span fee_of' }).waitFor()
    expect(fresh()).toEqual([])
  })

  it('show conversations with formatted texts, images, and tool calls beside their results', async () => {
    await page.goto(at(`/traces/${longId}?span=round-0-llm`))
    const input = page.getByRole('region', { name: 'Span input' })
    const call = input.getByRole('region', { name: 'Call of read_sensor' })
    await call.getByText('9007199254740993').waitFor()
    expect(await call.innerText()).toContain('84.50')
    expect(
      await input
        .locator('[data-role]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-role'))),
    ).toEqual(['system', 'user', 'assistant'])
    await poll(() => valueOn(input.getByRole('img'), 'element.naturalWidth')).toBe(240)
    await input.getByText('2 tools').click()
    await input.getByText('The last readings of a sensor.').waitFor()
    const output = page.getByRole('region', { name: 'Span output' })
    await output.locator('[data-token=keyword]', { hasText: 'def' }).waitFor()
    expect(await output.getByRole('row').count()).toBe(4)
    await page.goto(at(`/traces/${longId}?span=round-5-search`))
    const link = page.getByRole('list', { name: 'Passages' }).getByRole('link', { name: 'manual-p104.pdf' })
    expect(await link.getAttribute('href')).toBe(
      `/projects/${projectId}/chats/chat_manuals/files?file=file_p104&chunk=chunk_7`,
    )
    expect(fresh()).toEqual([])
  })

  it('with hostile contents run nothing, ask no other server before a click, and stay usable', async () => {
    const hostile = [
      '<img src=x onerror="document.title=1"><script>document.title=1</script>',
      '[link](javascript:document.title=1) [site](https://elsewhere.example/)',
      '![tracker](https://elsewhere.example/pixel.png)',
      '![svg](data:image/svg+xml;base64,PHN2Zy8+)',
    ].join('\n\n')
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const { trace_id } = await client.traces.create(projectId, {
      input: JSON.stringify([
        { role: 'user', content: hostile },
        { role: 'user', content: '> '.repeat(3000) },
        { role: 'user', content: deep },
      ]),
      output: hostile + '- '.repeat(500_000),
      created_at: '2020-01-01T00:00:00Z',
    })
    await page.goto(at(`/traces/${trace_id}`))
    const input = page.getByRole('region', { name: 'Input', exact: true })
    await input.getByText('<script>').waitFor()
    expect(await page.locator('main script, main svg svg, main img, main [onerror]').count()).toBe(0)
    expect(
      await input.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href'))),
    ).toEqual(['https://elsewhere.example/'])
    const output = page.getByRole('region', { name: 'Output', exact: true })
    await output.getByRole('button', { name: /Show more/ }).click()
    await output.getByRole('button', { name: 'Text' }).click()
    await output.getByText('<script>').waitFor()
    expect(await page.title()).toContain(trace_id)
    expect(fresh()).toEqual([])
    await page.route('https://elsewhere.example/**', (route) =>
      route.fulfill({ contentType: 'image/png', body: Buffer.from(samplePng(), 'base64') }),
    )
    await input.getByRole('button', { name: /Load the image from elsewhere.example/ }).click()
    await poll(() => valueOn(input.getByRole('img'), 'element.naturalWidth')).toBe(240)
    expect(fresh()).toEqual(['request to https://elsewhere.example'])
    await page.unroute('https://elsewhere.example/**')
  })

  it('show their spans in a view of the address, and find them by text', async () => {
    await page.goto(at(`/traces/${longId}`))
    const tree = page.getByRole('tree', { name: 'Spans' })
    await tree.waitFor()
    await page.getByRole('button', { name: 'Tree', exact: true }).click()
    await tree.getByRole('treeitem', { name: /chat gpt-4o llm gpt-4o 900 → 120 \$0.0031 880 ms/ }).waitFor()
    await page.getByRole('button', { name: 'Timeline' }).click()
    expect(search().get('spans')).toBe('timeline')
    await page.reload()
    await tree.getByRole('treeitem', { name: 'マニュアルを検索' }).click()
    expect(search().get('span')).toBe('round-5-search')
    await page.getByRole('button', { name: 'Waterfall' }).click()
    expect([...search().keys()]).toEqual(['span'])
    await page.keyboard.press('/')
    await page.keyboard.type('TimeoutError')
    await page.getByRole('status').getByText('2 matches').waitFor()
    const names = async () =>
      (await tree.getByRole('treeitem').allInnerTexts()).map((text) => text.split('\n')[0])
    const path = (round: number) => [`round ${round}`, 'tools', 'close_valve']
    await poll(names).toEqual(['inspect pump', ...path(3), ...path(6)])
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Span close_valve' }).getByText('exception.type').waitFor()
    await page.keyboard.press('Enter')
    await poll(() => search().get('span')).toBe('round-5-tool-1')
    expect(fresh()).toEqual([])
  })

  it('have the selected span beside the waterfall, and on a phone below it, with legible names of deep spans', async () => {
    const address = `/projects/${projectId}/traces/${longId}?span=open+a+channel+to+the+valve+controller`
    const boxes = async (on: Page) => {
      const detail = on.getByRole('region', { name: 'Span open a channel' })
      const [spans, own, name] = await Promise.all([
        on.getByRole('tree', { name: 'Spans' }).locator('..').boundingBox(),
        detail.boundingBox(),
        on.getByRole('treeitem', { selected: true }).locator('bdi').boundingBox(),
      ])
      if (!spans || !own || !name) throw new Error('the page has no spans')
      return { spans, own, name }
    }
    await page.goto(dashboard.server.url + address)
    await page.getByRole('treeitem', { selected: true }).waitFor()
    const wide = await boxes(page)
    expect(wide.own.x).toBeGreaterThan(wide.spans.x + wide.spans.width)
    expect(wide.own.y).toBeLessThan(wide.spans.y)
    const phone = await dashboard.open(address, { width: 390, height: 844 })
    await phone.page.getByRole('treeitem', { selected: true }).waitFor()
    await poll(async () => (await boxes(phone.page)).own.y).toBeLessThan(700)
    const narrow = await boxes(phone.page)
    expect(narrow.own.y).toBeGreaterThan(narrow.spans.y + narrow.spans.height - 1)
    expect(narrow.name.width).toBeGreaterThan(80)
    expect([fresh(), phone.problems]).toEqual([[], []])
    await phone.page.context().close()
  })

  it('lead to the next and the previous trace of their list by keys, beside the list and on their page', async () => {
    await page.goto(at('/traces?tag=seventh'))
    await rows().first().click()
    const panel = page.getByRole('complementary', { name: 'Trace' })
    await panel.getByText('question 0', { exact: true }).waitFor()
    await page.keyboard.press('n')
    await panel.getByText('question 7', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Open the full page' }).click()
    await page.getByRole('heading', { level: 1, name: 'trc_' }).waitFor()
    await page.keyboard.press('n')
    await page.getByText('question 14', { exact: true }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Previous trace (p)' }).waitFor()
    await page.keyboard.press('p')
    await page.getByText('question 7', { exact: true }).waitFor()
    expect(search().get('tag')).toBe('seventh')
    await page.getByRole('button', { name: 'Previous trace (p)' }).click()
    await page.getByText('question 0', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Previous trace (p)' }).isDisabled()).toBe(true)
    expect(fresh()).toEqual([])
  })

  it('are copied as code that reads or records them', async () => {
    await page.goto(at(`/traces/${agentId}`))
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Copy as code…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`analytics/traces/${agentId}`).waitFor()
    await dialog.getByRole('button', { name: 'Record it again' }).click()
    await dialog.getByRole('tab', { name: 'TypeScript' }).click()
    await dialog.getByText('cairn.project().traces.create({').waitFor()
    await page.keyboard.press('Escape')
    expect(fresh()).toEqual([])
  })

  it('open with 5,000 spans, of which the page contains only the visible ones', async () => {
    const start = Date.now()
    const spans = Array.from({ length: 5000 }, (_, place) => ({
      name: `step ${place}`,
      span_id: `${place}`,
      ...(place > 0 && { parent_id: `${(place - 1) >> 2}` }),
      start_ms: start + place,
      end_ms: start + 10_000 - place,
    }))
    const { trace_id } = await client.traces.create(projectId, { input: 'i', output: 'o', spans })
    await page.goto(at(`/traces/${trace_id}`))
    await page.getByRole('heading', { name: 'Spans (5,000)' }).waitFor()
    const tree = page.getByRole('tree', { name: 'Spans' })
    expect(await tree.getByRole('treeitem').count()).toBeLessThan(60)
    await tree.focus()
    await page.keyboard.press('End')
    await tree.getByRole('treeitem', { selected: true }).waitFor()
    expect(await tree.getByRole('treeitem').count()).toBeLessThan(60)
    await page.getByRole('button', { name: 'Collapse all' }).click()
    await poll(() => tree.getByRole('treeitem').count()).toBe(1)
    expect(fresh()).toEqual([])
  })

  it('get scores from people and from scorers', async () => {
    await page.goto(at(`/traces/${agentId}`))
    await page.getByRole('button', { name: 'Add score' }).click()
    const form = page.getByRole('form', { name: 'Add a score' })
    await form.getByLabel('Name').fill('helpful')
    await form.getByLabel('Value, 0 to 1').fill('0.25')
    await form.getByLabel('Comment').fill('names no desk')
    await form.getByRole('button', { name: 'Add score' }).click()
    await page.getByText('names no desk').waitFor()
    await page.getByRole('button', { name: 'Score', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Scorer').selectOption('contains')
    await dialog.getByLabel('Expected output').fill('4.20')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Score', exact: true }).click()
    await dialog.getByRole('status').getByText('1.00').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const scores = await client.scores.list(projectId, agentId)
    expect(scores.map(({ name, value }) => [name, value])).toEqual([
      ['contains', 1],
      ['helpful', 0.25],
    ])
    await page.getByRole('button', { name: 'Delete the score helpful' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete score' }).click()
    await page.getByText('names no desk').waitFor({ state: 'detached' })
    expect(await client.scores.list(projectId, agentId)).toHaveLength(1)
    expect(fresh()).toEqual([])
  })

  it('become test cases of a new or existing suite', async () => {
    await page.goto(at(`/traces/${agentId}`))
    for (const suite of ['new', 'there']) {
      await page.getByRole('button', { name: 'Create a test case' }).click()
      const dialog = page.getByRole('dialog')
      if (suite === 'new') await dialog.getByLabel('Name of the new suite').fill('Regressions')
      else await poll(() => dialog.getByLabel('Suite', { exact: true }).inputValue()).toMatch(/^ste_/)
      expect(await dialog.getByLabel('Query').inputValue()).toBe(
        'I have three books at home since May. What do I owe?',
      )
      await dialog.getByLabel('Expected answer').fill(`4.20 €, ${suite}`)
      await dialog.getByRole('button', { name: 'Create case' }).click()
      await dialog.getByText('The case is in the suite “Regressions”').waitFor()
      if (suite === 'new') await dialog.getByRole('button', { name: 'Done' }).click()
    }
    await page.getByRole('link', { name: 'Open the case' }).click()
    const panel = page.getByRole('complementary', { name: 'Case' })
    await poll(() => panel.getByLabel('Expected answer').inputValue()).toBe('4.20 €, there')
    const suites = await client.testing.suites.list(projectId)
    expect(suites.map(({ name, case_count }) => [name, case_count])).toEqual([['Regressions', 2]])
    const { cases } = await client.testing.cases.page(projectId, suites[0]?.suite_id ?? '')
    expect(cases.map(({ expected_answer, trace_id }) => [expected_answer, trace_id])).toEqual([
      ['4.20 €, new', agentId],
      ['4.20 €, there', agentId],
    ])
    expect(fresh()).toEqual([])
  })

  it('are sorted by a click on the head of a column, in the address and through further pages', async () => {
    await page.goto(at('/traces?tag=web'))
    await rows().first().waitFor()
    const head = page.getByRole('columnheader', { name: 'Cost' })
    await head.getByRole('button', { name: 'Cost' }).click()
    await poll(async () => (await inputs())[0]).toBe('question 349')
    expect(await head.getAttribute('aria-sort')).toBe('descending')
    expect(search().get('sort_by')).toBe('cost')
    const scroller = page.locator('[data-scroller]')
    await poll(async () => {
      await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return page.getByText('question 0', { exact: true }).count()
    }).toBe(1)
    await head.getByRole('button', { name: 'Cost' }).click()
    await poll(async () => (await inputs())[0]).toBe('question 0')
    expect(await head.getAttribute('aria-sort')).toBe('ascending')
    await head.getByRole('button', { name: 'Cost' }).click()
    await poll(() => [...search().keys()]).toEqual(['tag'])
    expect(fresh()).toEqual([])
  })

  it('are searched while typing, with one entry in the history, and with an output and a price', async () => {
    await page.goto(at('/traces?name=none'))
    await chip('none').waitFor()
    await page.getByRole('button', { name: 'Remove the filter Name: none' }).click()
    await rows().first().waitFor()
    await page.getByRole('searchbox').pressSequentially('answer 12')
    await poll(() => search().get('q')).toBe('answer 12')
    await poll(inputs).toEqual([
      'question 12',
      ...Array.from({ length: 10 }, (_, k) => `question ${120 + k}`),
    ])
    expect(await page.getByRole('searchbox').inputValue()).toBe('answer 12')
    expect(await rows().first().innerText()).toContain('answer 12')
    expect(await rows().first().innerText()).toContain('$0.012')
    const { trace_id } = await client.traces.create(projectId, {
      input: 'unpriced',
      output: 'o',
      model: 'own-model',
      token_usage: { total_tokens: 5 },
    })
    await page.getByRole('searchbox').fill('unpriced')
    await poll(inputs).toEqual(['unpriced'])
    expect(await rows().first().innerText()).toContain('no price')
    await page.goBack()
    await poll(() => search().get('q')).toBe(null)
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
    await client.traces.delete(projectId, trace_id)
    expect(fresh()).toEqual([])
  })

  it('are selected one by one, by range and by key, then tagged, added to a suite and deleted', async () => {
    await page.goto(at('/traces?session_id=s-80&sort_by=latency&order=asc'))
    await poll(inputs).toEqual(['question 320', 'question 321', 'question 322', 'question 323'])
    const bar = page.getByRole('region', { name: 'Selected traces' })
    const boxes = page.getByRole('checkbox', { name: /Select row/ })
    await boxes.nth(1).click()
    await boxes.nth(3).click({ modifiers: ['Shift'] })
    await bar.getByText('3 traces selected').waitFor()
    await rows().nth(2).focus()
    await page.keyboard.press('x')
    await bar.getByText('2 traces selected').waitFor()
    await expectAccessible(page)

    await bar.getByRole('button', { name: 'Tag' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Add tags').fill('odd one, checked')
    await dialog.getByLabel(/^web/).check()
    await dialog.getByRole('button', { name: 'Change tags' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { traces: tagged } = await client.traces.page(projectId, { tag: ['odd one', 'checked'] })
    expect(tagged.map(({ input, tags }) => [input, tags])).toEqual([
      ['question 321', ['odd one', 'checked']],
      ['question 323', ['odd one', 'checked']],
    ])

    await bar.getByRole('button', { name: 'Add to a suite' }).click()
    await dialog.getByLabel('Suite', { exact: true }).selectOption('New suite…')
    await dialog.getByLabel('Name of the new suite').fill('Selected')
    await dialog.getByRole('button', { name: 'Add 2 cases' }).click()
    await dialog.getByText('2 cases added to the suite “Selected”').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const suite = (await client.testing.suites.list(projectId)).find(({ name }) => name === 'Selected')
    const { cases } = await client.testing.cases.page(projectId, suite?.suite_id ?? '')
    expect(cases.map(({ query, expected_answer }) => [query, expected_answer]).sort()).toEqual([
      ['question 321', 'answer 321'],
      ['question 323', 'answer 323'],
    ])

    const saved = page.waitForEvent('download')
    await bar.getByRole('button', { name: 'Export' }).click()
    await dialog.getByLabel('Format').selectOption('jsonl')
    await dialog.getByRole('button', { name: 'Export' }).click()
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).input).sort()).toEqual(['question 321', 'question 323'])

    await bar.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete 2 traces' }).click()
    await poll(inputs).toEqual(['question 320', 'question 322'])
    await bar.waitFor({ state: 'detached' })
    const { traces: left } = await client.traces.page(projectId, { session_id: 's-80' })
    expect(left.map(({ input }) => input)).toEqual(['question 320', 'question 322'])
    expect(fresh()).toEqual([])
  })

  it('are deleted after a confirmation', async () => {
    await page.goto(at('/traces?q=question+349'))
    await rows().first().click()
    const panel = page.getByRole('complementary', { name: 'Trace' })
    await panel.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete trace…' }).click()
    const id = search().get('trace') ?? ''
    await page.getByRole('dialog').getByText(id).waitFor()
    await page.getByRole('button', { name: 'Delete trace', exact: true }).click()
    await panel.waitFor({ state: 'detached' })
    await page.getByText('No trace matches these filters').waitFor()
    await expect(client.traces.get(projectId, id)).rejects.toThrow('trace not found')
    expect(fresh()).toEqual([])
  })

  it('explain to an empty project how to record a trace', async () => {
    const { page: phone, problems: found } = await dashboard.open(`/projects/${emptyId}/traces`, {
      width: 390,
    })
    await phone.getByText(`/v1/${emptyId}/traces`).waitFor()
    await expectAccessible(phone)
    expect(found).toEqual([])
    await phone.context().close()
  })

  it.each([{ width: 390 }, { dark: true }])('are accessible: %o', async (options) => {
    const screen = await dashboard.open(`/projects/${projectId}/traces?status=error`, options)
    await screen.page.locator('tbody tr[data-index]').first().waitFor()
    await expectAccessible(screen.page)
    await screen.page.goto(at(`/traces/${agentId}?span=6`))
    await screen.page.getByRole('region', { name: 'Span fee_of' }).waitFor()
    await expectAccessible(screen.page)
    await screen.page.goto(at(`/traces/${longId}?span=round-0-llm&spans=timeline`))
    await screen.page.locator('[data-token]:visible').first().waitFor()
    await expectAccessible(screen.page)
    expect(screen.problems).toEqual([])
    await screen.page.context().close()
  })
})
