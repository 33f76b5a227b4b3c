import type { Page } from 'playwright-core'
import type { Sample, ScreenShot } from './screen-shot.ts'

const place = ({ projectId, graphChatId }: Sample) => `/projects/${projectId}/graph?chat=${graphChatId}`

/** The graph is drawn, and what flies has arrived. */
async function drawn(page: Page): Promise<void> {
  await page.locator('[data-state="drawn"]').waitFor()
  await page.waitForTimeout(900)
}

/** The id of the node that holds these words. */
async function nodeWith({ client, graphChatId }: Sample, words: string): Promise<string> {
  const { nodes } = await client.graph.read(graphChatId)
  const found = nodes.find(({ properties }) => String(properties.text ?? properties.filename).includes(words))
  return found?.id ?? ''
}

export const graphScreens: readonly ScreenShot[] = [
  { name: 'graph', path: place, prepare: drawn },
  {
    name: 'graph-node',
    path: place,
    prepare: async (page, sample) => {
      await drawn(page)
      await page.getByRole('combobox', { name: 'Find chunks and documents' }).fill('reason is the ice')
      await page.getByRole('listbox').getByRole('option').first().click()
      await page.getByRole('heading', { name: /^Chunk/ }).waitFor()
      await page.waitForTimeout(900)
      return sample
    },
    inGuides: true,
  },
  {
    name: 'graph-relationship',
    path: place,
    prepare: async (page, sample) => {
      const { relationships } = await sample.client.graph.read(sample.graphChatId)
      const one = relationships.find(({ type }) => type === 'EXPLAINS')
      await page.goto(`${page.url()}&relationship=${one?.id}`)
      await drawn(page)
    },
  },
  {
    name: 'graph-search',
    path: place,
    prepare: async (page) => {
      await drawn(page)
      await page.getByRole('combobox', { name: 'Find chunks and documents' }).fill('year')
      await page.getByRole('listbox').getByRole('option').nth(5).waitFor()
    },
  },
  {
    name: 'graph-create',
    path: place,
    prepare: async (page, sample) => {
      await page.goto(`${page.url()}&node=${await nodeWith(sample, 'reason is the ice')}`)
      await page.getByRole('button', { name: 'Relate to…' }).click()
      await page.getByRole('combobox', { name: 'Find the other chunk' }).fill('wheel')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
    },
  },
  {
    name: 'graph-list',
    path: (sample) => `${place(sample)}&view=list`,
    prepare: (page) => page.getByRole('row').nth(10).waitFor(),
  },
  {
    name: 'graph-list-relationships',
    path: (sample) => `${place(sample)}&view=list&rows=relationships&hide=NEXT&hide=HAS_CHUNK`,
    prepare: (page) => page.getByRole('row').nth(10).waitFor(),
  },
  {
    name: 'graph-empty',
    path: ({ projectId, emptyChatId }) => `/projects/${projectId}/graph?chat=${emptyChatId}`,
    prepare: (page) => page.getByText('This chat has no documents').waitFor(),
  },
  {
    name: 'graph-no-chats',
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}/graph`,
    prepare: (page) => page.getByText('No chats yet').waitFor(),
  },
]
