import { randomUUID } from 'node:crypto'
import { Api, addPrice, createWebhook, type Tenant, uploadForm } from './api.ts'
import { registerApp, signIn } from './applications.ts'
import { type Graph, isMade } from './graph.ts'
import { someIssuer } from './issuer.ts'
import type { Ids, Route } from './route.ts'
import { runEnd } from './runs.ts'

/** A file of two chunks, with a relationship between them. */
async function createFile({ chat, chatId }: Tenant) {
  const admin = Api.admin(chat.url)
  const paragraphs = ['first', 'second'].map((word) => `The ${word} part. ${`${word} words `.repeat(80)}`)
  const form = uploadForm('note.txt', `A note of its own: ${randomUUID()}.\n\n${paragraphs.join('\n\n')}`)
  const { file_id } = (await chat.ok('POST', `/v1/${chatId}/upload_with_scopes`, form)).body
  const graph: Graph = (await admin.ok('GET', `/graph_data/${chatId}`)).body
  const [node_id = '', other_node_id = ''] = graph.relationships
    .filter(({ source, type }) => source === file_id && type === 'HAS_CHUNK')
    .map(({ target }) => target)
  const ends = { source_id: node_id, target_id: other_node_id }
  const made = await admin.ok('POST', '/create_relationship', { ...ends, relationship_type: 'EXPLAINS' })
  return { file_id, node_id, other_node_id, relationship_id: made.body.id as string }
}

/** Resources of the server: a provider without models, a multiplier, and a budget. */
async function setConsole(url: string, project_id: string) {
  const admin = Api.admin(url)
  const [provider, model] = ['compatible', 'acme-1']
  await admin.ok('PUT', `/v1/console/providers/${provider}`, { base_url: 'http://127.0.0.1:9/v1' })
  await admin.ok('PUT', '/v1/console/multipliers', { model, multiplier: 2 })
  const budget = { project_id, scope: 'project', period: 'total', limit: 1e9 }
  const { budget_id } = (await admin.ok('POST', '/v1/console/budgets', budget)).body
  return { provider, model, budget_id }
}

/** A suite with a case, and a finished run. */
async function createTesting({ project, projectId }: Tenant) {
  const suites = `/v1/${projectId}/testing/suites`
  const suite = { name: 'a suite', target: { type: 'builtin' } }
  const { suite_id } = (await project.ok('POST', suites, suite)).body
  const testCase = { query: 'What is up?', expected_answer: 'The sky.' }
  const { case_id } = (await project.ok('POST', `${suites}/${suite_id}/cases`, testCase)).body
  const { run_id } = (await project.ok('POST', `${suites}/${suite_id}/run`)).body
  await runEnd(project, projectId, run_id)
  return { suite_id, case_id, run_id }
}

/** An application over the tenant's chat, with a user. */
async function createApp({ chat: { url }, chatId: chat_id }: Tenant) {
  const issuer = await someIssuer()
  const { app_id } = await registerApp(url, issuer.url, { chat_id })
  const user = await signIn(url, app_id, issuer, 'ann')
  const { user_id } = (await user.ok('GET', '/v1/me/profile')).body
  return { app_id, user_id }
}

const session_id = 'a-session'

async function createTrace({ project, projectId }: Tenant) {
  const trace = { input: 'a', output: 'b', session_id }
  const { trace_id } = (await project.ok('POST', `/v1/${projectId}/traces`, trace)).body
  const scores = `/v1/${projectId}/traces/${trace_id}/scores`
  await project.ok('POST', scores, { name: 'tone', value: 0.5 })
  const { score_id } = (await project.ok('GET', scores)).body[0]
  return { trace_id, score_id, session_id }
}

async function createVersion({ project, projectId }: Tenant) {
  const version = { version: `0.0.0-${randomUUID()}` }
  const { version_id } = (await project.ok('POST', `/v1/${projectId}/versions`, version)).body
  return { version_id }
}

async function createScorers({ project, projectId }: Tenant) {
  const scorers = `/v1/${projectId}/scorers`
  const slug = `scorer-${randomUUID()}`
  const scorer = { slug, prompt: '{{output}}', choices: { good: 1, bad: 0 } }
  await project.ok('POST', scorers, scorer)
  // No trace has the tag or matches the rule, so nothing is scored during a test.
  const batch = { filter: { tag: 'scored-by-nobody' } }
  const { scoring_id } = (await project.ok('POST', `${scorers}/json-valid/run`, batch)).body
  const rule = { name: 'a rule', scorer: 'json-valid', enabled: false }
  const { rule_id } = (await project.ok('POST', `${scorers}/rules`, rule)).body
  return { slug, scoring_id, rule_id }
}

async function createAnswer({ chat, chatId }: Tenant) {
  const asked = await chat.ok('POST', `/v1/${chatId}/answer_question`, { question: 'What is up?' })
  return { answer_id: asked.body.answer_id as string }
}

async function findKey({ project, projectId }: Tenant) {
  const keys = await Api.admin(project.url).ok('GET', `/v1/console/projects/${projectId}/keys`)
  return { key_id: keys.body[0].key_id as string }
}

/** The functions that create resources, with the names of their ids. */
const makers: readonly [names: readonly (keyof Ids)[], make: (tenant: Tenant) => Promise<Partial<Ids>>][] = [
  [['trace_id', 'score_id', 'session_id'], createTrace],
  [['version_id'], createVersion],
  [['slug', 'scoring_id', 'rule_id'], createScorers],
  [['price_id'], ({ project, projectId }) => addPrice(Api.admin(project.url), projectId)],
  [['provider', 'model', 'budget_id'], ({ project, projectId }) => setConsole(project.url, projectId)],
  [['webhook_id', 'delivery_id'], ({ project, projectId }) => createWebhook(project.url, projectId)],
  [['file_id', 'node_id', 'other_node_id', 'relationship_id'], createFile],
  [['answer_id'], createAnswer],
  [['app_id', 'user_id'], createApp],
  [['suite_id', 'case_id', 'run_id'], createTesting],
  [['key_id'], findKey],
]

async function make(tenant: Tenant, isWanted: (name: string) => boolean): Promise<Partial<Ids>> {
  const made: Partial<Ids> = { project_id: tenant.projectId, chat_id: tenant.chatId }
  for (const [names, maker] of makers) if (names.some(isWanted)) Object.assign(made, await maker(tenant))
  return made
}

/** The ids for the paths of a tenant's routes; missing resources are created. */
export async function createIds(tenant: Tenant): Promise<Ids> {
  return (await make(tenant, () => true)) as Ids
}

/** New resources for the ids of a route; other ids are the given ones. */
export async function freshIds(
  tenant: Tenant,
  { path, query, body }: Route,
  ids: Partial<Ids> = {},
): Promise<Ids> {
  const text = JSON.stringify([path, query, body])
  return { ...ids, ...(await make(tenant, (name) => text.includes(`{${name}}`))) } as Ids
}

/** A graph without relationships of background work, which are no sign of a write. */
function withoutMade(graph: Graph): Graph {
  return { ...graph, relationships: graph.relationships.filter((edge) => !isMade(edge)) }
}

/** Data of background runs is no sign of a write either. */
const runEvent = (event: { type: string }) => event.type.startsWith('run_')
const runTrace = /^.*"tags":\[(?:"chat",)?"test-run"\].*$\n/gm

/** What no project owns, and the list of projects. Other suites change it on a shared server. */
async function consoleStateOf(url: string): Promise<string> {
  const admin = Api.admin(url)
  const paths = ['projects', 'providers', 'multipliers']
  const answers = await Promise.all(paths.map((path) => admin.ok('GET', `/v1/console/${path}`)))
  return answers.map((answer) => answer.text).join('\n')
}

/** The state of a tenant and of the console as one text; see `tenantStateOf`. */
export async function stateOf(url: string, tenant: Tenant): Promise<string> {
  return `${await consoleStateOf(url)}\n${await tenantStateOf(url, tenant)}`
}

/** The state of a tenant as one text: two readings are equal if nothing was written in between. */
export async function tenantStateOf(
  url: string,
  { projectId, chatId, project, chat }: Tenant,
): Promise<string> {
  const admin = Api.admin(url)
  const reads = [
    admin.ok('GET', `/v1/console/projects/${projectId}`),
    admin.ok('GET', `/v1/console/projects/${projectId}/keys`),
    admin.ok('GET', `/v1/console/projects/${projectId}/chats`),
    admin.ok('GET', `/v1/console/projects/${projectId}/prices`),
    admin.ok('GET', `/v1/console/budgets?project_id=${projectId}`),
    admin.ok('GET', `/v1/console/apps?project_id=${projectId}`),
    admin.ok('GET', `/v1/console/projects/${projectId}/webhooks`),
    admin.ok('GET', `/v1/console/chats/${chatId}/keys`),
    admin.ok('GET', `/v1/console/chats/${chatId}/history`),
    chat.ok('GET', `/v1/${chatId}/files`),
    chat.ok('GET', `/v1/${chatId}/scopes`),
    project.ok('GET', `/v1/${projectId}/versions`),
    project.ok('GET', `/v1/${projectId}/scorers`),
    project.ok('GET', `/v1/${projectId}/scorers/rules`),
    project.ok('GET', `/v1/${projectId}/versions/history`),
    project.ok('GET', `/v1/${projectId}/testing/suites`),
  ]
  const answers = await Promise.all(reads)
  const graph: Graph = (await admin.ok('GET', `/graph_data/${chatId}`)).body
  const { text: traces } = await project.ok('GET', `/v1/${projectId}/analytics/export?format=jsonl`)
  const { body: events } = await admin.ok('GET', `/v1/console/projects/${projectId}/events`)
  const { body: runs } = await project.ok('GET', `/v1/${projectId}/testing/runs`)
  const others = [
    withoutMade(graph),
    events.filter((event: { type: string }) => !runEvent(event)),
    runs.map(({ run_id, name, notes }: Record<string, string>) => [run_id, name, notes]),
  ]
  const texts = [...answers.map((answer) => answer.text), traces.replace(runTrace, '')]
  return [...texts, ...others.map((other) => JSON.stringify(other))].join('\n')
}
