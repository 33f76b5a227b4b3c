import { createClient } from '@cairn/sdk'
import type { Page } from 'playwright-core'
import { countScripts, msFromClick, msUntil, type OpenWindow, withBrowser } from './support/browser.ts'
import { median, type Row, round } from './support/results.ts'
import { type SeededSource, withSeeded } from './support/seeded-server.ts'
import { createAdminKey } from './support/server.ts'

/** Approximate number of traces in the project; use fewer for a quick try. */
const seededTraces = Number(process.env.CAIRN_BENCH_DASHBOARD_TRACES ?? 1_000_000)
/** Pages of 100 rows that are scrolled through. */
const pages = 100
const spans = 5000
const repeats = 5

const anyRow = 'tbody tr[data-index]'
const link = (path: string) => `nav a[href$="${path}"]`

/** Screens opened from the sidebar for the first time, so their scripts are loaded too. */
const screens = {
  Traces: [link('/traces'), anyRow],
  Sessions: [link('/sessions'), `table[aria-label="Sessions"] ${anyRow}`],
  Scores: [link('/scores'), `table[aria-label="Scores"] ${anyRow}`],
} as const

async function firstLoad(open: OpenWindow, url: string): Promise<Row[]> {
  const times: number[] = []
  let bytes = 0
  for (let turn = 0; turn < repeats; turn++) {
    await open(async (page) => {
      const scripts = await countScripts(page)
      times.push(await msUntil(page, url, anyRow))
      bytes = scripts()
    })
  }
  return [
    {
      what: 'first screen, JavaScript compressed',
      value: round(bytes / 1000, 1),
      unit: 'KB',
      bar: { max: 200 },
    },
    {
      what: 'first screen, interactive, median of 5',
      value: round(median(times)),
      unit: 'ms',
      bar: { max: 1000 },
    },
    { what: 'first screen, interactive, slowest of 5', value: round(Math.max(...times)), unit: 'ms' },
  ]
}

/** With `isHurried`, clicks as soon as possible, while the Overview still loads its figures. */
async function laterScreens(open: OpenWindow, home: string, isHurried: boolean): Promise<Row[]> {
  const times: Record<string, number[]> = {}
  for (let turn = 0; turn < repeats; turn++) {
    await open(async (page) => {
      await msUntil(page, home, link('/scores'))
      if (!isHurried) await page.waitForLoadState('networkidle')
      for (const [name, [clicked, seen]] of Object.entries(
        isHurried ? { Traces: screens.Traces } : screens,
      )) {
        times[name] = [...(times[name] ?? []), await msFromClick(page, clicked, seen)]
      }
    })
  }
  return Object.entries(times).map(([name, all]) => ({
    what: `${name}, from the click ${isHurried ? 'while the Overview loads ' : ''}to its rows, median of 5`,
    value: round(median(all)),
    unit: 'ms',
    ...(!isHurried && { bar: { max: 300 } }),
    rows: seededTraces,
  }))
}

interface Frames {
  rows: number
  frames: number
  longestGap: number
  longestTask: number
}

/** Scrolls fast: half a screen in each frame, as long as there is more. */
function scroll(page: Page): Promise<Frames> {
  return page.evaluate(`new Promise((resolve) => {
    const scroller = document.querySelector('[data-scroller]')
    const result = { rows: 0, frames: 0, longestGap: 0, longestTask: 0 }
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) result.longestTask = Math.max(result.longestTask, duration)
    }).observe({ entryTypes: ['longtask'] })
    let last
    const step = (now) => {
      if (last !== undefined) result.longestGap = Math.max(result.longestGap, now - last)
      last = now
      result.frames++
      scroller.scrollTop += scroller.clientHeight / 2
      result.rows = Math.round(scroller.scrollTop / 32)
      if (result.rows < ${pages * 100}) requestAnimationFrame(step)
      else setTimeout(() => resolve(result), 500)
    }
    requestAnimationFrame(step)
  })`) as Promise<Frames>
}

async function scrolling(open: OpenWindow, list: string): Promise<Row[]> {
  const { rows, frames, longestGap, longestTask } = await open(async (page) => {
    await msUntil(page, list, anyRow)
    return scroll(page)
  })
  const named = `scrolling ${pages} pages of traces`
  return [
    {
      what: `${named}, longest time between frames`,
      value: round(longestGap),
      unit: 'ms',
      bar: { max: 100 },
      rows: seededTraces,
    },
    {
      what: `${named}, longest task`,
      value: round(longestTask),
      unit: 'ms',
      bar: { max: 100 },
      rows: seededTraces,
    },
    { what: `${named}, frames`, value: frames, unit: 'frames', rows: seededTraces },
    { what: `${named}, rows passed`, value: rows, unit: 'rows', rows: seededTraces },
  ]
}

/** A tree with four children per span, like the trace of an agent with many tools. */
function bigTrace(now: number) {
  return {
    input: 'What do the tide tables say?',
    output: 'High water at noon.',
    spans: Array.from({ length: spans }, (_, place) => ({
      name: `step ${place}`,
      span_id: `${place}`,
      ...(place > 0 && { parent_id: `${(place - 1) >> 2}` }),
      kind: (['agent', 'llm', 'tool', 'retrieval'] as const)[place % 4] ?? ('chain' as const),
      start_ms: now + place,
      end_ms: now + 20_000 - place,
      attributes: { step: place, model: 'gpt-4o', note: 'The gauge on the north pier showed a slow rise.' },
    })),
  }
}

async function detail(open: OpenWindow, { server, tenant }: SeededSource): Promise<Row[]> {
  const { projectId, projectKey } = tenant
  const { url: baseUrl } = server
  const remover = createClient({ baseUrl, apiKey: await createAdminKey(baseUrl, projectId) })
  const { traces } = createClient({ baseUrl, apiKey: projectKey })
  const { trace_id: id } = await traces.create(projectId, bigTrace(Date.now()))
  const list = `${baseUrl}/projects/${projectId}/traces`
  const clicked: number[] = []
  const loaded: number[] = []
  try {
    for (let turn = 0; turn < repeats; turn++) {
      await open(async (page) => {
        await msUntil(page, list, anyRow)
        clicked.push(await msFromClick(page, anyRow, '[role="treeitem"]'))
      })
      await open(async (page) => {
        loaded.push(await msUntil(page, `${list}/${id}`, '[role="treeitem"]'))
      })
    }
  } finally {
    await remover.traces.delete(projectId, id)
  }
  const named = `a trace of ${spans.toLocaleString('en')} spans`
  return [
    {
      what: `${named}, from the click to its waterfall, median`,
      value: round(median(clicked)),
      unit: 'ms',
      bar: { max: 1000 },
    },
    {
      what: `${named}, from its address to its waterfall, median`,
      value: round(median(loaded)),
      unit: 'ms',
      bar: { max: 1000 },
    },
  ]
}

/** Measures the dashboard in a browser over many traces. */
export function benchDashboard(): Promise<Row[]> {
  return withSeeded(seededTraces, (source) =>
    withBrowser(source.server.url, async (open) => {
      const home = `${source.server.url}/projects/${source.tenant.projectId}`
      return [
        ...(await firstLoad(open, source.server.url)),
        ...(await laterScreens(open, home, false)),
        ...(await laterScreens(open, home, true)),
        ...(await scrolling(open, `${home}/traces`)),
        ...(await detail(open, source)),
      ]
    }),
  )
}
