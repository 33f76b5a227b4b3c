import { type Client, type CreateTrace, createClient } from '@cairn/sdk'
import { adminToken } from '../support/server.ts'
import { projectClient } from './sample-analytics.ts'

const hourMs = 3_600_000
/** The time of every page, because the screens cut the last day into full hours. */
export const now = Date.now()
/** As in the dashboard, where a period ends with the interval that contains the end of the current minute. */
const endOfMinute = Math.ceil((now + 1) / 60_000) * 60_000
const end = Math.ceil(endOfMinute / hourMs) * hourMs
export const hour = (ago: number) => end - (ago + 1) * hourMs
export const iso = (ms: number) => new Date(ms).toISOString()

const trace = (ago: number, more: Partial<CreateTrace> = {}): CreateTrace => ({
  input: 'How long is the warranty?',
  output: 'Two years.',
  model: 'model-a',
  version: '1.0.0',
  latency_ms: 200,
  cost: 0.01,
  tags: ['chat'],
  token_usage: { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 },
  custom_attributes: { plan: 'free' },
  created_at: iso(hour(ago) + 600_000),
  ...more,
})
const many = (count: number, ago: number, more: Partial<CreateTrace> = {}) =>
  Array.from({ length: count }, () => trace(ago, more))

const second: Partial<CreateTrace> = {
  ...{ model: 'model-b', version: '1.1.0', latency_ms: 400, cost: 0.02 },
  ...{ tags: ['email'], custom_attributes: { plan: 'team' } },
}
/** Ten traces five hours ago, two of them failed; five traces three hours ago; five traces the day before. */
const traces = [
  ...many(8, 5),
  ...many(2, 5, {
    ...{ status: 'error', error: 'the provider was overloaded', output: '', latency_ms: 1000 },
  }),
  ...many(5, 3, second),
  ...many(5, 30),
]

export interface KnownProject {
  admin: Client
  /** A client with a key of the project. */
  client: Client
  projectId: string
  /** Another project, without traces and versions. */
  emptyId: string
}

/** Creates a project with the known traces, two scores and two versions, and an empty project. */
export async function createKnownProject(baseUrl: string): Promise<KnownProject> {
  const admin = createClient({ baseUrl, adminToken })
  const projectId = (await admin.console.projects.create({ name: 'Support assistant' })).project_id
  const emptyId = (await admin.console.projects.create({ name: 'Empty' })).project_id
  const client = await projectClient(admin, baseUrl, projectId)
  const { results } = await client.traces.createBatch(projectId, traces)
  for (const result of results.slice(0, 2)) {
    if ('trace_id' in result)
      await client.scores.create(projectId, result.trace_id, { name: 'tone', value: 0.5 })
  }
  await client.versions.publish(projectId, {
    ...{ version: '1.0.0', description: 'The first' },
    config: { model: 'model-a', prompt: 'Answer at length.', temperature: 1 },
  })
  await client.versions.publish(projectId, {
    ...{ version: '1.1.0', description: 'The second' },
    config: { model: 'model-b', prompt: 'Answer briefly.', temperature: 1 },
  })
  return { admin, client, projectId, emptyId }
}
