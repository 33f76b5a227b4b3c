import type { Page } from 'playwright-core'
import type { Sample, ScreenShot } from './screen-shot.ts'

const chat = (tab: string) => (sample: Sample) =>
  `/projects/${sample.projectId}/chats/${sample.chats.chatId}/${tab}`
const empty = (tab: string) => (sample: Sample) =>
  `/projects/${sample.projectId}/chats/${sample.chats.emptyChatId}/${tab}`

async function ask(page: Page, question: string): Promise<void> {
  const answer = page.getByRole('article', { name: question })
  await page.getByLabel('Question').fill(question)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await answer.getByRole('button', { name: 'Code' }).waitFor()
}

/** Every screen of chats. */
export const chatScreens: readonly ScreenShot[] = [
  {
    name: 'chats',
    path: ({ projectId }) => `/projects/${projectId}/chats`,
    prepare: (page) => page.getByRole('row', { name: /Staff handbook/ }).waitFor(),
  },
  {
    name: 'chats-empty',
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}/chats`,
    prepare: (page) => page.getByRole('heading', { name: 'No chats yet' }).waitFor(),
  },
  {
    name: 'chat-files',
    path: chat('files'),
    prepare: (page) => page.getByRole('row', { name: /handbook\.md/ }).waitFor(),
  },
  {
    name: 'chat-files-uploading',
    path: chat('files'),
    prepare: async (page) => {
      await page.getByRole('row', { name: /handbook\.md/ }).waitFor()
      const files = [
        { name: 'rules.md', mimeType: 'text/markdown', buffer: Buffer.from('# Rules\n\nNo rule.\n') },
        { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
      ]
      await page.getByLabel('Files to upload').setInputFiles(files)
      await page.getByLabel('team (required)').fill('office')
      await page.getByRole('dialog').getByRole('button', { name: 'Upload 2 files' }).click()
      await page.getByText(/2 uploads ended/).waitFor()
    },
  },
  {
    name: 'chat-files-empty',
    path: empty('files'),
    prepare: (page) => page.getByRole('heading', { name: 'No files yet' }).waitFor(),
  },
  {
    name: 'chat-document',
    path: chat('files'),
    prepare: async (page) => {
      await page.getByRole('row', { name: /handbook\.md/ }).click()
      await page.getByRole('article', { name: 'Chunk 1', exact: true }).waitFor()
    },
  },
  {
    name: 'chat-playground-empty',
    path: chat('playground'),
    prepare: (page) => page.getByLabel('Question').waitFor(),
  },
  {
    name: 'chat-playground-cited',
    path: chat('playground'),
    inGuides: true,
    prepare: async (page) => {
      await ask(page, 'How many days of paid leave do new staff get?')
      await ask(page, 'What does a bicycle cost at weekends?')
      await page
        .getByRole('button', { name: /^Source \d+: handbook/ })
        .last()
        .click()
      await page.locator('mark').waitFor()
    },
  },
  {
    name: 'chat-playground-asked',
    path: chat('playground'),
    prepare: async (page) => {
      await ask(page, 'When does the ferry not leave?')
      await page.getByText(/but not used/).click()
      await page
        .getByRole('button', { name: /^Source \d+: / })
        .first()
        .hover()
      await page.getByRole('tooltip').first().waitFor({ state: 'attached' })
    },
  },
  {
    name: 'chat-code',
    path: chat('playground'),
    prepare: async (page) => {
      await ask(page, 'When is the fire drill?')
      await page.getByRole('button', { name: 'Code' }).click()
    },
  },
  {
    name: 'chat-settings',
    path: chat('settings'),
    prepare: (page) => page.getByText('The draft differs').waitFor(),
  },
  { name: 'chat-scopes', path: chat('scopes'), prepare: (page) => page.getByLabel('Name').first().waitFor() },
  {
    name: 'chat-scopes-empty',
    path: empty('scopes'),
    prepare: (page) => page.getByText('No scopes are').waitFor(),
  },
  {
    name: 'chat-api',
    path: chat('api'),
    prepare: (page) => page.getByRole('cell', { name: 'intranet' }).first().waitFor(),
  },
  {
    name: 'chat-new-key',
    path: chat('api'),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByRole('dialog', { name: /^New key for/ }).waitFor()
    },
  },
]
