import { type Tenant, uploadForm } from './api.ts'
import { appForm } from './applications.ts'
import type { Ids, Route } from './route.ts'
import {
  filterFields,
  judgedFilter,
  keyBody,
  prefixed,
  priceParts,
  question,
  scope,
  scorerBody,
  scorerWrong,
  settings,
  trace,
  traceAlsoTakes,
  traceFree,
  traceWrong,
  webhookBody,
  webhookWrong,
  wrongFilters,
  wrongIso,
  wrongJudgedFilter,
  wrongNames,
  wrongPrices,
  wrongQuestions,
  wrongSettings,
  wrongVersions,
} from './route-samples.ts'
import { appRoutes } from './routes-apps.ts'
import { creditRoutes } from './routes-credits.ts'
import { internalRoutes } from './routes-internal.ts'
import { testingRoutes } from './routes-testing.ts'
import { tinyPdf } from './tiny-pdf.ts'

export const routes: readonly Route[] = [
  { method: 'GET', path: '/v1/health', credential: 'none', status: 200 },
  { method: 'GET', path: '/v1/ready', credential: 'none', status: 200 },
  {
    method: 'POST',
    path: '/v1/console/projects',
    credential: 'admin',
    status: 201,
    body: { name: 'a project' },
    required: ['name'],
    wrong: { name: wrongNames },
  },
  { method: 'GET', path: '/v1/console/projects', credential: 'admin', status: 200 },
  { method: 'GET', path: '/v1/console/projects/{project_id}', credential: 'admin', status: 200 },
  {
    method: 'PATCH',
    path: '/v1/console/projects/{project_id}',
    credential: 'admin',
    status: 200,
    body: { name: 'a project', retention_days: 30 },
    wrong: { name: wrongNames, retention_days: [-1, 0.5, 36_501] },
  },
  {
    method: 'DELETE',
    path: '/v1/console/projects/{project_id}',
    credential: 'admin',
    status: 200,
    destroys: true,
  },
  {
    method: 'POST',
    path: '/v1/console/projects/{project_id}/keys',
    credential: 'admin',
    status: 201,
    ...keyBody,
  },
  { method: 'GET', path: '/v1/console/projects/{project_id}/keys', credential: 'admin', status: 200 },
  {
    method: 'POST',
    path: '/v1/console/projects/{project_id}/reprice',
    credential: 'admin',
    status: 200,
    body: { start_date: '2024-01-01', end_date: '2024-02-01', model: 'gpt-4o' },
    wrong: { start_date: [...wrongIso, '2024-03-01'], end_date: wrongIso },
  },
  { method: 'DELETE', path: '/v1/console/keys/{key_id}', credential: 'admin', status: 200, destroys: true },
  {
    method: 'POST',
    path: '/v1/console/projects/{project_id}/chats',
    credential: 'admin',
    status: 201,
    body: { title: 'a chat', publish: true },
    required: ['title'],
    wrong: { title: wrongNames },
  },
  { method: 'GET', path: '/v1/console/projects/{project_id}/chats', credential: 'admin', status: 200 },
  { method: 'GET', path: '/v1/console/chats/{chat_id}', credential: 'admin', status: 200 },
  {
    method: 'PATCH',
    path: '/v1/console/chats/{chat_id}',
    credential: 'admin',
    status: 200,
    body: { title: 'a chat', settings, api_access_enabled: true },
    alsoTakes: { 'settings.context_files': ['string'] },
    wrong: { title: wrongNames, ...prefixed('settings.', wrongSettings) },
  },
  { method: 'DELETE', path: '/v1/console/chats/{chat_id}', credential: 'admin', status: 200, destroys: true },
  { method: 'POST', path: '/v1/console/chats/{chat_id}/publish', credential: 'admin', status: 200 },
  {
    method: 'POST',
    path: '/v1/console/chats/{chat_id}/unpublish',
    credential: 'admin',
    status: 200,
    destroys: true,
  },
  { method: 'GET', path: '/v1/console/chats/{chat_id}/history', credential: 'admin', status: 200 },
  { method: 'POST', path: '/v1/console/chats/{chat_id}/keys', credential: 'admin', status: 201, ...keyBody },
  { method: 'GET', path: '/v1/console/chats/{chat_id}/keys', credential: 'admin', status: 200 },
  { method: 'GET', path: '/v1/console/audit', credential: 'admin', status: 200 },
  ...creditRoutes,
  { method: 'GET', path: '/v1/console/prices', credential: 'admin', status: 200 },
  { method: 'GET', path: '/v1/console/projects/{project_id}/prices', credential: 'admin', status: 200 },
  {
    method: 'PUT',
    path: '/v1/console/projects/{project_id}/prices',
    credential: 'admin',
    status: 200,
    body: { model: 'gpt-4o', start_date: '2024-01-02T03:04:05.678Z', input: 1, output: 2, ...priceParts },
    required: ['model', 'input', 'output'],
    wrong: {
      model: [...wrongNames, 'openai/', 'models/ '],
      start_date: wrongIso,
      input: wrongPrices,
      output: wrongPrices,
      ...Object.fromEntries(Object.keys(priceParts).map((name) => [name, wrongPrices])),
    },
  },
  {
    method: 'DELETE',
    path: '/v1/console/projects/{project_id}/prices/{price_id}',
    credential: 'admin',
    status: 200,
    destroys: true,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/events',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  { method: 'GET', path: '/v1/console/projects/{project_id}/events', credential: 'admin', status: 200 },
  {
    method: 'POST',
    path: '/v1/console/projects/{project_id}/webhooks',
    credential: 'admin',
    status: 201,
    body: webhookBody,
    required: ['url'],
    wrong: webhookWrong,
  },
  { method: 'GET', path: '/v1/console/projects/{project_id}/webhooks', credential: 'admin', status: 200 },
  { method: 'GET', path: '/v1/console/webhooks/{webhook_id}', credential: 'admin', status: 200 },
  {
    method: 'PATCH',
    path: '/v1/console/webhooks/{webhook_id}',
    credential: 'admin',
    status: 200,
    body: { ...webhookBody, enabled: true },
    wrong: webhookWrong,
  },
  {
    method: 'DELETE',
    path: '/v1/console/webhooks/{webhook_id}',
    credential: 'admin',
    status: 200,
    destroys: true,
  },
  {
    method: 'POST',
    path: '/v1/console/webhooks/{webhook_id}/rotate-secret',
    credential: 'admin',
    status: 200,
  },
  { method: 'POST', path: '/v1/console/webhooks/{webhook_id}/test', credential: 'admin', status: 200 },
  { method: 'GET', path: '/v1/console/webhooks/{webhook_id}/deliveries', credential: 'admin', status: 200 },
  {
    method: 'POST',
    path: '/v1/console/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
    credential: 'admin',
    status: 200,
  },
  { method: 'GET', path: '/v1/{chat_id}/info', credential: 'chat-key', permission: 'read', status: 200 },
  { method: 'GET', path: '/v1/{chat_id}/settings', credential: 'chat-key', permission: 'read', status: 200 },
  {
    method: 'POST',
    path: '/v1/{chat_id}/settings',
    credential: 'chat-key',
    permission: 'write',
    status: 200,
    body: settings,
    alsoTakes: { context_files: ['string'] },
    wrong: wrongSettings,
  },
  {
    method: 'POST',
    path: '/v1/{project_id}/traces',
    credential: 'project-key',
    permission: 'ingest',
    status: 201,
    body: trace,
    required: ['input', 'output'],
    alsoTakes: traceAlsoTakes,
    free: traceFree,
    wrong: traceWrong,
  },
  {
    method: 'POST',
    path: '/v1/{project_id}/traces/batch',
    credential: 'project-key',
    permission: 'ingest',
    status: 201,
    body: { traces: [trace] },
    required: ['traces', 'traces[0].input', 'traces[0].output'],
    alsoTakes: prefixed('traces[0].', traceAlsoTakes ?? {}),
    free: traceFree.map((field) => `traces[0].${field}`),
    wrong: {
      ...prefixed('traces[0].', traceWrong ?? {}),
      traces: [[], Array.from({ length: 1001 }, () => ({ input: 'a', output: 'b' }))],
      'traces[0]': [null],
    },
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/analytics/traces',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/analytics/traces/{trace_id}',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/{project_id}/traces/{trace_id}/scores',
    credential: 'project-key',
    permission: 'ingest',
    status: 201,
    body: { name: 'quality', value: 0.5, comment: 'fine' },
    required: ['name', 'value'],
    wrong: { name: wrongNames, value: [-0.01, 1.01, 5] },
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/analytics/metrics',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/traces/{trace_id}/scores',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/analytics/costs',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/analytics/performance',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/analytics/timeseries',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/analytics/scores',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/analytics/sessions',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/analytics/sessions/{session_id}',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'DELETE',
    path: '/v1/{project_id}/traces/{trace_id}',
    credential: 'project-key',
    permission: 'write',
    status: 200,
    destroys: true,
  },
  {
    method: 'DELETE',
    path: '/v1/{project_id}/traces',
    credential: 'project-key',
    permission: 'admin',
    query: 'q=nothing+holds+this',
    status: 200,
  },
  {
    method: 'DELETE',
    path: '/v1/{project_id}/traces/{trace_id}/scores/{score_id}',
    credential: 'project-key',
    permission: 'write',
    status: 200,
    destroys: true,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/analytics/export',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/{project_id}/score-with-judge',
    credential: 'project-key',
    permission: 'write',
    status: 200,
    body: {
      scorer_slug: 'exact-match',
      trace_id: '{trace_id}',
      input: 'What is up?',
      output: 'The sky.',
      expected_output: 'The sky.',
    },
    required: ['scorer_slug'],
    wrong: { scorer_slug: ['', 'x'.repeat(65)] },
  },
  {
    method: 'POST',
    path: '/v1/{project_id}/scorers',
    credential: 'project-key',
    permission: 'write',
    status: 201,
    once: 'slug',
    body: { slug: 'tone', ...scorerBody },
    required: ['slug', 'prompt', 'choices'],
    free: ['choices'],
    wrong: { slug: ['', 'Tone', 'a b', '-a', 'a--b', 'a_b', 'x'.repeat(65)], ...scorerWrong },
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/scorers',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/scorers/{slug}',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'PUT',
    path: '/v1/{project_id}/scorers/{slug}',
    credential: 'project-key',
    permission: 'write',
    status: 200,
    body: scorerBody,
    required: ['prompt', 'choices'],
    free: ['choices'],
    wrong: scorerWrong,
  },
  {
    method: 'DELETE',
    path: '/v1/{project_id}/scorers/{slug}',
    credential: 'project-key',
    permission: 'write',
    status: 200,
    destroys: true,
  },
  {
    method: 'POST',
    path: '/v1/{project_id}/scorers/{slug}/run',
    credential: 'project-key',
    permission: 'write',
    status: 201,
    // One of the project's own would need a model.
    fixed: { slug: 'json-valid' },
    body: { filter: judgedFilter, sample_rate: 0.5, limit: 10, overwrite: false },
    ...filterFields,
    wrong: {
      ...wrongJudgedFilter,
      sample_rate: [-0.01, 1.01],
      limit: [0, -1, 1.5, 1e10],
    },
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/scorers/runs',
    query: 'state=completed&scorer=json-valid',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/scorers/runs/{scoring_id}',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/scorers/runs/{scoring_id}/failures',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/{project_id}/scorers/runs/{scoring_id}/cancel',
    credential: 'project-key',
    permission: 'write',
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/{project_id}/scorers/rules',
    credential: 'project-key',
    permission: 'write',
    status: 201,
    body: { name: 'a rule', scorer: 'json-valid', filter: judgedFilter, sample_rate: 0.5, enabled: false },
    required: ['name', 'scorer'],
    ...filterFields,
    wrong: {
      ...wrongJudgedFilter,
      name: wrongNames,
      scorer: ['', 'x'.repeat(65)],
      sample_rate: [-0.01, 1.01],
    },
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/scorers/rules',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/scorers/rules/{rule_id}',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'PATCH',
    path: '/v1/{project_id}/scorers/rules/{rule_id}',
    credential: 'project-key',
    permission: 'write',
    status: 200,
    body: { name: 'a rule', scorer: 'json-valid', filter: judgedFilter, sample_rate: 0.5, enabled: false },
    ...filterFields,
    wrong: {
      ...wrongJudgedFilter,
      name: wrongNames,
      scorer: ['', 'x'.repeat(65)],
      sample_rate: [-0.01, 1.01],
    },
  },
  {
    method: 'DELETE',
    path: '/v1/{project_id}/scorers/rules/{rule_id}',
    credential: 'project-key',
    permission: 'write',
    status: 200,
    destroys: true,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/scores',
    query: 'source=human&min_value=0.1&status=success',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/{project_id}/versions',
    credential: 'project-key',
    permission: 'write',
    status: 201,
    once: 'version',
    body: {
      version: '1.0.0-rc.1+build',
      description: 'the first one',
      config: { model: 'gpt-4o', prompt: 'Be brief.', temperature: 1, max_tokens: 100 },
    },
    required: ['version'],
    wrong: {
      version: wrongVersions,
      description: ['x'.repeat(10_001)],
      'config.model': ['', 'x'.repeat(201)],
      'config.temperature': [-0.1, 2.1],
      'config.max_tokens': [0, -1, 1.5, 1_000_001],
    },
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/versions',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/versions/{version_id}',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/{project_id}/versions/{version_id}/rollback',
    credential: 'project-key',
    permission: 'write',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/versions/compare',
    query: 'a={version_id}&b={version_id}',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/versions/history',
    credential: 'project-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/{chat_id}/upload_with_scopes',
    credential: 'chat-key',
    permission: 'write',
    status: 200,
    form: 'note',
  },
  {
    method: 'POST',
    path: '/v1/{chat_id}/scopes/configure',
    credential: 'chat-key',
    permission: 'write',
    status: 200,
    body: { scopes: [scope] },
    required: ['scopes', 'scopes[0].name'],
    wrong: {
      scopes: [[scope, scope], Array.from({ length: 21 }, (_, i) => ({ name: `s${i}` }))],
      'scopes[0]': [null],
      'scopes[0].name': ['', 'a b', '1st', '_x', 'ä', 'x'.repeat(65), 'id', 'filename', '__proto__'],
      'scopes[0].type': ['', 'String', 'object'],
      'scopes[0].description': ['x'.repeat(10_001)],
    },
  },
  { method: 'GET', path: '/v1/{chat_id}/scopes', credential: 'chat-key', permission: 'read', status: 200 },
  {
    method: 'DELETE',
    path: '/v1/{chat_id}/scopes',
    credential: 'chat-key',
    permission: 'write',
    status: 200,
  },
  { method: 'GET', path: '/v1/{chat_id}/files', credential: 'chat-key', permission: 'read', status: 200 },
  {
    method: 'GET',
    path: '/v1/{chat_id}/files/{file_id}/status',
    credential: 'chat-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/{chat_id}/files/{file_id}/chunks',
    credential: 'chat-key',
    permission: 'read',
    status: 200,
  },
  {
    method: 'DELETE',
    path: '/v1/{chat_id}/files/{file_id}',
    credential: 'chat-key',
    permission: 'write',
    status: 200,
    destroys: true,
  },
  {
    method: 'POST',
    path: '/v1/{chat_id}/answer_question',
    credential: 'chat-key',
    permission: 'query',
    needsPublished: true,
    status: 200,
    ...question,
  },
  {
    method: 'POST',
    path: '/v1/{chat_id}/answer_question_stream',
    credential: 'chat-key',
    permission: 'query',
    needsPublished: true,
    status: 200,
    ...question,
  },
  {
    method: 'POST',
    path: '/v1/{chat_id}/search',
    credential: 'chat-key',
    permission: 'read',
    needsPublished: true,
    status: 200,
    body: { query: 'What is up?', limit: 8, scope_filters: { team: 'a' } },
    required: ['query'],
    free: ['scope_filters'],
    named: { scope_filters: 'scope' },
    wrong: { query: wrongQuestions, limit: [0, -1, 101, 1.5], scope_filters: wrongFilters },
  },
  ...testingRoutes,
  ...internalRoutes,
  ...appRoutes,
]

export function routeName({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`
}

/** The routes that take a JSON body. */
export const jsonRoutes = routes.filter((route) => route.body !== undefined)

/** Whether errors of the route have the body of the project API. */
export function isProjectRoute(route: Route): boolean {
  return route.credential === 'project-key'
}

export function fillPath(path: string, ids: Ids): string {
  return path.replace(/(?<!\{)\{(\w+)\}(?!\})/g, (_, name: string) => ids[name as keyof Ids] ?? '')
}

/** The address of the route's valid request. */
export function addressOf({ path, query, fixed }: Route, ids: Ids): string {
  return fillPath(query === undefined ? path : `${path}?${query}`, { ...ids, ...fixed })
}

/** A body with ids in the place of their names. */
export function fillBody(body: Record<string, unknown>, ids: Ids): Record<string, unknown> {
  return JSON.parse(fillPath(JSON.stringify(body), ids)) as Record<string, unknown>
}

let bodies = 0

/** The route's valid body, fit to be sent again and again. */
export function freshBody(
  { body, once, form }: Route,
  ids: Ids,
): Record<string, unknown> | FormData | undefined {
  const number = bodies++
  if (form === 'note') return uploadForm('note.txt', `Note number ${number}.`)
  if (form === 'app') return toFormData(appForm('https://login.example.com'))
  if (form === 'pdf') return uploadForm('note.pdf', tinyPdf(`Note ${number}.`))
  const fresh = body && once !== undefined ? { ...body, [once]: `${body[once]}-${number}` } : body
  return fresh && fillBody(fresh, ids)
}

function toFormData(fields: URLSearchParams): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.set(name, value)
  return form
}

/** Headers of the credential that the route asks for. */
export function credentialOf(route: Route, tenant: Tenant, adminToken: string): Record<string, string> {
  if (route.credential === 'project-key') return { authorization: `Bearer ${tenant.projectKey}` }
  if (route.credential === 'chat-key') return { authorization: `Bearer ${tenant.chatKey}` }
  return route.credential === 'none' ? {} : { 'x-admin-token': adminToken }
}
