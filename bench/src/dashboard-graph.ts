import { createClient } from '@cairn/sdk'
import { softwareWebgl } from '../../e2e/browser/chromium.ts'
import { Dashboard } from '../../e2e/browser/dashboard.ts'
import { adminToken } from '../../e2e/support/server.ts'
import { quantile, type Row, round } from './support/results.ts'

type Page = Awaited<ReturnType<Dashboard['open']>>['page']

const documents = 50
const sections = 99

/** A document with one passage per section; some passages share words. */
function textOf(document: number): string {
  const word = (seed: number) => `${['wheel', 'river', 'oven', 'signal', 'ledger'][seed % 5]}${seed % 23}`
  return Array.from({ length: sections }, (_, section) => {
    const sentences = Array.from({ length: 16 }, (_, at) => {
      const seed = document * 7 + section * 3 + at * 5
      return `The ${word(seed)} of part ${section} holds the ${word(seed + 1)} because of the ${word(seed + 2)}.`
    })
    return `## Part ${section}\n\n${sentences.join(' ')}\n`
  }).join('\n')
}

/** Creates a chat whose graph has about 5,000 nodes, all related. */
async function makeGraph(baseUrl: string): Promise<{ path: string; nodes: number; relationships: number }> {
  const client = createClient({ baseUrl, adminToken })
  const { project_id: projectId } = await client.console.projects.create({ name: 'Bench' })
  const { chat_id: chatId } = await client.console.chats.create(projectId, { title: 'Large', publish: true })
  const { api_key: apiKey } = await client.console.keys.createForChat(chatId)
  const chat = createClient({ baseUrl, apiKey })
  for (let number = 0; number < documents; number++) {
    await chat.documents.upload(chatId, { file: new Blob([textOf(number)]), filename: `part-${number}.md` })
  }
  while ((await client.graph.status(chatId)).relating > 0) await new Promise((go) => setTimeout(go, 500))
  const { nodes, relationships } = await client.graph.read(chatId)
  return {
    path: `/projects/${projectId}/graph?chat=${chatId}`,
    nodes: nodes.length,
    relationships: relationships.length,
  }
}

interface TraceEvent {
  name: string
  ts: number
  tid: number
  pid: number
  tdur?: number
  dur?: number
  args: { name?: string }
}

const scripting = ['FireAnimationFrame', 'EventDispatch', 'TimerFire']

/**
 * Scripting time of the page's main thread for each frame (drawing and pointer events), in milliseconds of processor
 * time. Software rendering, which replaces a graphics card here, does not count.
 */
function workOfFrames(trace: string): number[] {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] }
  const frames = traceEvents.filter(({ name }) => name === 'FireAnimationFrame').sort((a, b) => a.ts - b.ts)
  const [first] = frames
  if (!first) throw new Error('no frame was drawn')
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => scripting.includes(name) && pid === first.pid && tid === first.tid,
  )
  return frames.slice(1).map((frame, index) => {
    const from = frames[index]?.ts ?? 0
    const within = tasks.filter(({ ts }) => ts >= from && ts < frame.ts)
    return within.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000
  })
}

async function traced(page: Page, act: () => Promise<void>): Promise<number[]> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the browser is gone')
  await browser.startTracing(page, { categories: ['devtools.timeline', '__metadata'] })
  await act()
  return workOfFrames((await browser.stopTracing()).toString())
}

function rowsOf(what: string, work: readonly number[]): Row[] {
  const sorted = work.toSorted((a, b) => a - b)
  return [
    { what: `${what}: scripting a frame, p50`, value: round(quantile(sorted, 0.5), 1), unit: 'ms' },
    {
      what: `${what}: scripting a frame, p95`,
      value: round(quantile(sorted, 0.95), 1),
      unit: 'ms',
      bar: { max: 8 },
    },
    { what: `${what}: scripting a frame, most`, value: round(sorted.at(-1) ?? 0, 1), unit: 'ms' },
    { what: `${what}: frames`, value: work.length, unit: 'frames' },
  ]
}

async function pan(page: Page): Promise<void> {
  await page.mouse.move(700, 500)
  await page.mouse.down()
  for (let step = 0; step < 60; step++) {
    await page.mouse.move(700 + 200 * Math.sin(step / 10), 500 + 120 * Math.cos(step / 10))
  }
  await page.mouse.up()
}

async function zoom(page: Page): Promise<void> {
  await page.mouse.move(700, 500)
  for (let step = 0; step < 24; step++) {
    await page.mouse.wheel(0, step < 12 ? -120 : 120)
    await page.waitForTimeout(60)
  }
}

/** Panning and zooming in a graph of 5,000 nodes, and the time until it is drawn. */
export async function benchDashboardGraph(): Promise<Row[]> {
  const dashboard = await Dashboard.start({}, ...softwareWebgl)
  try {
    const { path, nodes, relationships } = await makeGraph(dashboard.server.url)
    const { page } = await dashboard.open('/')
    const from = performance.now()
    await page.goto(dashboard.server.url + path)
    await page.locator('[data-state="drawn"]').waitFor({ timeout: 60_000 })
    const drawnMs = performance.now() - from
    await page.waitForTimeout(3000)
    return [
      { what: 'nodes', value: nodes, unit: 'nodes' },
      { what: 'relationships', value: relationships, unit: 'relationships' },
      { what: 'from the address to the graph, laid out', value: round(drawnMs), unit: 'ms' },
      ...rowsOf('panning', await traced(page, () => pan(page))),
      ...rowsOf('zooming', await traced(page, () => zoom(page))),
    ]
  } finally {
    await dashboard.stop()
  }
}
