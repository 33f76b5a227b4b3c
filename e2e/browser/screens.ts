import type { Client } from '@cairn/sdk'
import { projectClient, sampleAnalytics } from './sample-analytics.ts'
import { makeApps } from './sample-apps.ts'
import { makeChatSample } from './sample-chats.ts'
import { makeGraphChat } from './sample-graph.ts'
import { makeTestsSample } from './sample-tests.ts'
import { makeSampleTraces } from './sample-traces.ts'
import type { Sample, ScreenShot } from './screen-shot.ts'
import { analyticsScreens } from './screens-analytics.ts'
import { appScreens } from './screens-apps.ts'
import { chatScreens } from './screens-chats.ts'
import { graphScreens } from './screens-graph.ts'
import { settingsScreens, testScreens } from './screens-tests.ts'
import { traceScreens } from './screens-traces.ts'

/** Creates the sample data; each feature adds the data of its screens. */
export async function makeSample(client: Client, baseUrl: string): Promise<Sample> {
  const { project_id: projectId } = await client.console.projects.create({ name: 'Support assistant' })
  const { project_id: emptyProjectId } = await client.console.projects.create({ name: 'New and empty' })
  const own = await projectClient(client, baseUrl, projectId)
  const versionIds = await sampleAnalytics(own, projectId)
  const chats = await makeChatSample(client, baseUrl, projectId)
  const traces = await makeSampleTraces(own, projectId)
  const tests = await makeTestsSample(client, baseUrl, projectId, chats.chatId)
  const graphChatId = await makeGraphChat(client, baseUrl, projectId)
  const { chat_id: emptyChatId } = await client.console.chats.create(projectId, { title: 'Nothing yet' })
  const appId = await makeApps(client, { projectId, chatId: graphChatId, baseUrl })
  return {
    client,
    projectId,
    emptyProjectId,
    versionIds,
    traces,
    tests,
    chats,
    graphChatId,
    emptyChatId,
    appId,
  }
}

/** Every screen of the dashboard, with and without data. */
export const screens: readonly ScreenShot[] = [
  {
    name: 'projects',
    path: () => '/',
    prepare: (page) => page.getByRole('row', { name: /Support assistant/ }).waitFor(),
  },
  ...analyticsScreens,
  ...traceScreens,
  { name: 'server', path: () => '/server', prepare: (page) => page.getByText('Healthy').nth(1).waitFor() },
  {
    name: 'server-load',
    path: () => '/server/load',
    prepare: (page) => page.getByRole('table', { name: 'Limits' }).waitFor(),
  },
  ...testScreens,
  ...settingsScreens,
  ...chatScreens,
  ...graphScreens,
  ...appScreens,
]
