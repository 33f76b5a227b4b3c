import type { Client } from '@cairn/sdk'
import type { Sample, ScreenShot } from './sample.ts'
import { makeApps } from './sample-apps.ts'
import { makeGraphChat } from './sample-graph.ts'
import { appScreens } from './screens-apps.ts'
import { graphScreens } from './screens-graph.ts'

/** Fills the sample project; a feature adds what its screens need. */
export async function makeSample(client: Client, baseUrl: string): Promise<Sample> {
  const { project_id: projectId } = await client.console.projects.create({ name: 'Support assistant' })
  const { project_id: emptyProjectId } = await client.console.projects.create({ name: 'New and empty' })
  const graphChatId = await makeGraphChat(client, baseUrl, projectId)
  const { chat_id: emptyChatId } = await client.console.chats.create(projectId, { title: 'Nothing yet' })
  const appId = await makeApps(client, { projectId, chatId: graphChatId, baseUrl })
  return { client, projectId, emptyProjectId, graphChatId, emptyChatId, appId }
}

/** Every screen of the dashboard, full and empty. */
export const screens: readonly ScreenShot[] = [
  {
    name: 'projects',
    path: () => '/',
    prepare: (page) => page.getByRole('row', { name: /Support assistant/ }).waitFor(),
  },
  { name: 'server', path: () => '/server', prepare: (page) => page.getByText('Healthy').nth(1).waitFor() },
  ...graphScreens,
  ...appScreens,
]
