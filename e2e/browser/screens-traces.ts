import type { Page } from 'playwright-core'
import type { Sample, ScreenShot } from './screen-shot.ts'

const row = (page: Page) => page.locator('tbody tr[data-index]').first().waitFor()
const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).waitFor()
const traces = ({ projectId }: Sample) => `/projects/${projectId}/traces`

/** Screens of traces, sessions and scores, with and without data. */
export const traceScreens: readonly ScreenShot[] = [
  { name: 'traces', path: traces, prepare: row },
  {
    name: 'traces-filtered',
    path: (sample) =>
      `${traces(sample)}?status=success&tag=loans&min_latency_ms=500&max_latency_ms=2500&attr.plan=member&q=book&period=24h`,
    prepare: async (page) => {
      await row(page)
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
    },
  },
  {
    name: 'traces-refused',
    path: (sample) => `${traces(sample)}?min_latency_ms=abc`,
    prepare: (page) => page.getByRole('alert').waitFor(),
  },
  {
    name: 'traces-empty',
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}/traces`,
    prepare: heading('No traces yet'),
  },
  {
    name: 'trace-panel',
    path: (sample) => `${traces(sample)}?trace=${sample.traces.agentTrace}`,
    prepare: async (page) => {
      await row(page)
      await page.getByRole('tree', { name: 'Spans' }).waitFor()
    },
  },
  {
    name: 'trace-page',
    inGuides: true,
    path: (sample) => `${traces(sample)}/${sample.traces.agentTrace}`,
    prepare: (page) => page.getByRole('tree', { name: 'Spans' }).waitFor(),
  },
  {
    name: 'trace-span',
    path: (sample) => `${traces(sample)}/${sample.traces.agentTrace}?span=3`,
    prepare: async (page) => {
      await page.getByRole('region', { name: 'Span plan' }).waitFor()
      await page.getByRole('tree', { name: 'Spans' }).scrollIntoViewIfNeeded()
      await page.locator('main').evaluate((main) => main.scrollTo(0, 420))
    },
  },
  {
    name: 'trace-long',
    path: (sample) => `${traces(sample)}/${sample.traces.longTrace}`,
    prepare: (page) => page.getByRole('tree', { name: 'Spans' }).waitFor(),
  },
  {
    name: 'trace-chat',
    path: (sample) => `${traces(sample)}/${sample.traces.longTrace}?span=round-0-llm`,
    prepare: (page) => page.getByRole('region', { name: 'Call of read_sensor' }).waitFor(),
  },
  {
    name: 'trace-passages',
    path: (sample) => `${traces(sample)}/${sample.traces.longTrace}?span=round-5-search&spans=tree`,
    prepare: (page) => page.getByRole('list', { name: 'Passages' }).waitFor(),
  },
  {
    name: 'trace-timeline',
    path: (sample) => `${traces(sample)}/${sample.traces.longTrace}?span=round-2-tool-1&spans=timeline`,
    prepare: (page) => page.getByRole('region', { name: 'Span close_valve' }).waitFor(),
  },
  {
    name: 'trace-code',
    path: (sample) => `${traces(sample)}/${sample.traces.agentTrace}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Copy as code…' }).click()
      await page.getByRole('button', { name: 'Record it again' }).click()
    },
  },
  {
    name: 'trace-scorer',
    path: (sample) => `${traces(sample)}/${sample.traces.agentTrace}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Score', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Score', exact: true }).click()
      await page.getByRole('button', { name: 'Score again' }).waitFor()
    },
  },
  {
    name: 'trace-case',
    path: (sample) => `${traces(sample)}/${sample.traces.agentTrace}`,
    prepare: (page) => page.getByRole('button', { name: 'Create a test case' }).click(),
  },
  {
    name: 'trace-missing',
    path: (sample) => `${traces(sample)}/trc_nowhere`,
    prepare: (page) => page.getByRole('alert').waitFor(),
  },
  { name: 'sessions', path: ({ projectId }) => `/projects/${projectId}/sessions`, prepare: row },
  {
    name: 'sessions-empty',
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}/sessions`,
    prepare: heading('No sessions yet'),
  },
  {
    name: 'session-page',
    path: ({ projectId, traces: { sessionId } }) => `/projects/${projectId}/sessions/${sessionId}`,
    prepare: (page) => page.getByRole('list', { name: 'Turns' }).getByRole('button').first().waitFor(),
  },
  { name: 'scores', path: ({ projectId }) => `/projects/${projectId}/scores`, prepare: row },
  {
    name: 'scores-empty',
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}/scores`,
    prepare: heading('No scores yet'),
  },
  {
    name: 'scores-scorers',
    path: ({ projectId }) => `/projects/${projectId}/scores?tab=judges`,
    prepare: row,
  },
  {
    name: 'scores-scorer',
    path: ({ projectId }) => `/projects/${projectId}/scores?tab=judges&judge=tone`,
    prepare: (page) => page.getByRole('complementary', { name: 'tone' }).waitFor(),
  },
  {
    name: 'scores-edit-scorer',
    path: ({ projectId }) => `/projects/${projectId}/scores?tab=judges&judge=tone`,
    prepare: (page) => page.getByRole('button', { name: 'Edit the scorer' }).click(),
  },
  {
    name: 'scores-batches',
    path: ({ projectId }) => `/projects/${projectId}/scores?tab=batches`,
    prepare: async (page) => {
      await row(page)
      await page.locator('tbody tr[data-index]').first().click()
    },
  },
  { name: 'scores-rules', path: ({ projectId }) => `/projects/${projectId}/scores?tab=rules`, prepare: row },
  {
    name: 'scores-start-batch',
    path: ({ projectId }) => `/projects/${projectId}/scores?tab=batches`,
    prepare: (page) => page.getByRole('button', { name: 'Score traces' }).click(),
  },
]
