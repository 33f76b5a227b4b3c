import type { Tenant } from './api.ts'

/** The ids that paths are filled with. */
export interface Ids {
  project_id: string
  chat_id: string
  trace_id: string
  key_id: string
  score_id: string
  session_id: string
  version_id: string
  price_id: string
  webhook_id: string
  delivery_id: string
  file_id: string
}

/** A route as the tests know it. `/openapi.json` must hold these and no others. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  credential: 'none' | 'admin' | 'project-key' | 'chat-key' | 'admin-or-chat-key'
  permission?: 'ingest' | 'read' | 'write' | 'query' | 'admin'
  /** Query parameters that the valid request needs, with ids in braces. */
  query?: string
  /** Status of the valid request. */
  status: number
  /** A field of the body whose value the server takes once; each try needs another. */
  once?: string
  /** A valid JSON body that sets every field there is. */
  body?: Record<string, unknown>
  required?: readonly string[]
  /** Fields that take more than the type of their sample: field path → further types. */
  alsoTakes?: Record<string, readonly JsonType[]>
  /** Fields whose content is free: their insides are not varied. */
  free?: readonly string[]
  /** Values of the right type that are refused all the same. */
  wrong?: Record<string, readonly unknown[]>
  /** What the message names where it is not the field itself. */
  named?: Record<string, string>
  /** Takes multipart/form-data. */
  form?: boolean
  /** Refused on a chat without published settings. */
  needsPublished?: boolean
  /** The valid request takes away what other requests need. */
  destroys?: boolean
}

export type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object'

const wrongNames = ['', '   ', 'a\nb', 'a\0b', 'x'.repeat(201)]
const wrongIso = ['', 'yesterday', '2024-02-30', '2024-13-01', '2024-01-01T13:61:00Z', '1e3', '2024']

const wrongVersions = [
  '',
  '1',
  '1.0',
  'v1.0.0',
  '=1.0.0',
  ' 1.0.0',
  '1.0.0 ',
  '1.0.0\n',
  '01.0.0',
  '1.0.0-',
  '1.0.0\0',
]
wrongVersions.push(`1.0.0-${'x'.repeat(251)}`)

const trace = {
  input: 'What is up?',
  output: 'The sky.',
  model: 'gpt-4o',
  latency_ms: 12.5,
  tags: ['a'],
  token_usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  metadata: { any: 'thing' },
  custom_attributes: { any: 'thing' },
  version: '1.0.0',
  session_id: 's',
  user_id: 'u',
  environment: 'test',
  spans: [
    {
      name: 'step',
      start: 1000,
      end: 2000,
      start_ms: 1000,
      end_ms: 2000,
      attributes: { any: 'thing' },
      span_id: '1',
      parent_id: '0',
      kind: 'llm',
      status: 'ok',
      error: 'none',
    },
  ],
  cost: 0.25,
  cost_breakdown: { llm: 0.1, embedding: 0.1, reranking: 0.05 },
  tool_calls: [{ name: 'tool' }],
  status: 'success',
  error: 'none',
  created_at: '2024-01-02T03:04:05.678Z',
}

const traceAlsoTakes: Route['alsoTakes'] = { 'spans[0].start': ['string'], 'spans[0].end': ['string'] }
const traceFree = ['metadata', 'custom_attributes', 'spans[0].attributes', 'tool_calls[0]']
const traceWrong: Route['wrong'] = {
  latency_ms: [-1],
  cost: [-0.01],
  'token_usage.prompt_tokens': [-1],
  'cost_breakdown.llm': [-1],
  'spans[0].kind': ['nope', ''],
  'spans[0].end': [999],
  'spans[0].start': ['yesterday', 2001],
  status: ['', 'Success', 'failed'],
  created_at: wrongIso,
}

const settings = {
  selected_model: 'gpt-4o',
  temperature: 1,
  max_tokens: 500,
  custom_prompt: 'Be brief.',
  conversation_history_limit: 10,
  context_files: ['a file'],
  show_sources_to_users: false,
}

const wrongSettings: Record<string, readonly unknown[]> = {
  selected_model: ['', null],
  temperature: [-0.1, 2.1, null],
  max_tokens: [0, 1.5, null],
  conversation_history_limit: [-1, 0.5],
  context_files: ['some', [5], [null]],
}

const scope = { name: 'team', type: 'string', required: false, description: 'who it belongs to' }

const wrongQuestions = ['', '  \n', 'x'.repeat(100_001)]
const wrongFilters = [
  { 'a b': 1 },
  { filename: 'x' },
  { team: null },
  { team: ['a'] },
  { team: { a: 1 } },
  { team: 'x'.repeat(256) },
  Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`s${i}`, i])),
]

const question: Pick<Route, 'body' | 'required' | 'free' | 'named' | 'wrong'> = {
  body: {
    question: 'What is up?',
    selected_model: 'gpt-4o-mini',
    model: 'gpt-4o-mini',
    temperature: 1,
    max_tokens: 100,
    custom_prompt: 'Be brief.',
    scope_filters: { team: 'a' },
    session_id: 's',
  },
  required: ['question'],
  free: ['scope_filters'],
  named: { scope_filters: 'scope' },
  wrong: {
    question: wrongQuestions,
    selected_model: ['', 'no-such-model'],
    model: [''],
    temperature: [-0.1, 2.1],
    max_tokens: [0, -1, 1.5],
    session_id: ['', 's'.repeat(201)],
    scope_filters: wrongFilters,
  },
}

const keyBody: Pick<Route, 'body' | 'required' | 'wrong'> = {
  body: { name: 'a key', permissions: ['read', 'ingest'] },
  wrong: {
    name: wrongNames,
    permissions: [[], ['root'], ['read', 5], [null], [['read']]],
    'permissions[0]': ['Read', ''],
  },
}

const priceParts = { cache_read: 0.5, cache_write: 1.25, reasoning: 4, audio_input: 8, audio_output: 16 }
const wrongPrices = [-0.01, 1_000_001, 1e300]
const webhookBody = {
  // A name that nothing answers to.
  url: 'https://hooks.invalid/cairn',
  event_types: ['file_uploaded', 'run_failed'],
  description: 'a webhook',
}
const webhookWrong: Route['wrong'] = {
  url: [
    '',
    'nope',
    '/hook',
    'http://hooks.invalid/',
    'ftp://hooks.invalid/',
    'https://user:secret@hooks.invalid/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://10.0.0.1:8443/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    `https://hooks.invalid/${'x'.repeat(2048)}`,
  ],
  event_types: [[], ['nope'], ['webhook_test'], ['File_uploaded'], [null], Array(101).fill('run_failed')],
  'event_types[0]': ['', '**'],
  description: ['x'.repeat(501)],
}

function prefixed<T>(prefix: string, fields: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [prefix + name, value]))
}

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
    form: true,
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
  {
    method: 'GET',
    path: '/graph_data/{chat_id}',
    credential: 'admin-or-chat-key',
    permission: 'admin',
    status: 200,
  },
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
  return path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name as keyof Ids] ?? '')
}

/** The address of the route's valid request. */
export function addressOf({ path, query }: Route, ids: Ids): string {
  return fillPath(query === undefined ? path : `${path}?${query}`, ids)
}

let bodies = 0

/** The route's valid body, fit to be sent again and again. */
export function freshBody({ body, once }: Route): Record<string, unknown> | undefined {
  return body && once !== undefined ? { ...body, [once]: `${body[once]}.${bodies++}` } : body
}

/** Headers of the credential that the route asks for. */
export function credentialOf(route: Route, tenant: Tenant, adminToken: string): Record<string, string> {
  if (route.credential === 'project-key') return { authorization: `Bearer ${tenant.projectKey}` }
  if (route.credential === 'chat-key') return { authorization: `Bearer ${tenant.chatKey}` }
  return route.credential === 'none' ? {} : { 'x-admin-token': adminToken }
}
