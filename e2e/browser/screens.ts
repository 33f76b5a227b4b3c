import { type Client, createClient } from '@cairn/sdk'
import type { Sample, ScreenShot } from './sample.ts'
import { makeSampleTraces } from './sample-traces.ts'
import { traceScreens } from './screens-traces.ts'

/** Fills the sample project; a feature adds what its screens need. */
export async function makeSample(client: Client, baseUrl: string): Promise<Sample> {
  const { project_id: projectId } = await client.console.projects.create({ name: 'Support assistant' })
  const { project_id: emptyProjectId } = await client.console.projects.create({ name: 'New and empty' })
  const { api_key: apiKey } = await client.console.keys.createForProject(projectId)
  const traces = await makeSampleTraces(createClient({ baseUrl, apiKey }), projectId)
  return { client, projectId, emptyProjectId, traces }
}

/** Every screen of the dashboard, full and empty. */
export const screens: readonly ScreenShot[] = [
  {
    name: 'projects',
    path: () => '/',
    prepare: (page) => page.getByRole('row', { name: /Support assistant/ }).waitFor(),
  },
  ...traceScreens,
  { name: 'server', path: () => '/server', prepare: (page) => page.getByText('Healthy').nth(1).waitFor() },
]
