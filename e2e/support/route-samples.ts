import type { Route } from './route.ts'

export const wrongNames = ['', '   ', 'a\nb', 'a\0b', 'x'.repeat(201)]
export const wrongIso = ['', 'yesterday', '2024-02-30', '2024-13-01', '2024-01-01T13:61:00Z', '1e3', '2024']

export const wrongVersions = [
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

export const trace = {
  name: 'answer',
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
      model: 'gpt-4o',
      token_usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      cost: 0.25,
      events: [{ name: 'moment', time: 1500, time_ms: 1500, attributes: { any: 'thing' } }],
    },
  ],
  cost: 0.25,
  cost_breakdown: { llm: 0.1, embedding: 0.1, reranking: 0.05 },
  tool_calls: [{ name: 'tool' }],
  status: 'success',
  error: 'none',
  created_at: '2024-01-02T03:04:05.678Z',
}

export const traceAlsoTakes: NonNullable<Route['alsoTakes']> = {
  'spans[0].start': ['string'],
  'spans[0].end': ['string'],
  'spans[0].events[0].time': ['string'],
}
export const traceFree = [
  'metadata',
  'custom_attributes',
  'spans[0].attributes',
  'spans[0].events[0].attributes',
  'tool_calls[0]',
]
export const traceWrong: NonNullable<Route['wrong']> = {
  latency_ms: [-1],
  cost: [-0.01],
  'token_usage.prompt_tokens': [-1],
  'cost_breakdown.llm': [-1],
  'spans[0].kind': ['nope', ''],
  'spans[0].end': [999],
  'spans[0].start': ['yesterday', 2001],
  'spans[0].cost': [-0.01],
  'spans[0].token_usage.prompt_tokens': [-1],
  'spans[0].events[0].time': ['yesterday'],
  status: ['', 'Success', 'failed'],
  created_at: wrongIso,
}

export const settings = {
  selected_model: 'gpt-4o',
  temperature: 1,
  max_tokens: 500,
  custom_prompt: 'Be brief.',
  conversation_history_limit: 10,
  context_files: ['a file'],
  show_sources_to_users: false,
  rerank_model: 'chat',
  embedding_model: 'none',
  quote_on_failure: true,
}

export const wrongSettings: Record<string, readonly unknown[]> = {
  selected_model: ['', null, 'no-such-model'],
  temperature: [-0.1, 2.1, null],
  max_tokens: [0, 1.5, null],
  conversation_history_limit: [-1, 0.5],
  context_files: ['some', [5], [null]],
  rerank_model: ['', 'no-such-model', 'cohere/nothing'],
  embedding_model: ['', 'gpt-4o', 'anthropic/x', 'nobody/x'],
}

export const scope = { name: 'team', type: 'string', required: false, description: 'who it belongs to' }

export const wrongQuestions = ['', '  \n', 'x'.repeat(100_001)]
export const wrongFilters = [
  { 'a b': 1 },
  { filename: 'x' },
  { team: null },
  { team: ['a'] },
  { team: { a: 1 } },
  { team: 'x'.repeat(256) },
  Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`s${i}`, i])),
]

export const question: Pick<Route, 'body' | 'required' | 'free' | 'named' | 'wrong'> = {
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

export const keyBody: Pick<Route, 'body' | 'required' | 'wrong'> = {
  body: { name: 'a key', permissions: ['read', 'ingest'] },
  wrong: {
    name: wrongNames,
    permissions: [[], ['root'], ['read', 5], [null], [['read']]],
    'permissions[0]': ['Read', ''],
  },
}

export const priceParts = {
  cache_read: 0.5,
  cache_write: 1.25,
  reasoning: 4,
  audio_input: 8,
  audio_output: 16,
}
export const wrongPrices = [-0.01, 1_000_001, 1e300]
export const webhookBody = {
  // A host name that does not resolve.
  url: 'https://hooks.invalid/cairn',
  event_types: ['file_uploaded', 'run_failed'],
  description: 'a webhook',
}
export const webhookWrong: NonNullable<Route['wrong']> = {
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

export function prefixed<T>(prefix: string, fields: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [prefix + name, value]))
}

export const scorerBody = {
  prompt: 'Is the tone of {{output}} friendly?',
  choices: { yes: 1, no: 0 },
  model: 'gpt-4o',
  description: 'how friendly it is',
}
export const scorerWrong: NonNullable<Route['wrong']> = {
  prompt: ['', 'no place for it', 'x'.repeat(50_001)],
  choices: [{}, { only: 1 }, { yes: 2, no: 0 }, { yes: '1', no: 0 }, { '': 1, no: 0 }],
  model: ['', 'gpt-99', 'x'.repeat(201)],
  description: ['x'.repeat(10_001)],
}

/** A filter of a batch or a rule, with one value for every field. */
export const scoredFilter = {
  status: 'success',
  start_date: '2024-01-02T03:04:05.678Z',
  end_date: '2024-02-01',
  model: 'gpt-4o',
  version: '1.0.0',
  environment: 'test',
  session_id: 's',
  user_id: 'u',
  tag: 'a',
  min_latency_ms: 1,
  max_latency_ms: 100,
  min_cost: 0.01,
  max_cost: 0.02,
  q: 'sky',
}
export const filterFields: Pick<Route, 'alsoTakes' | 'named'> = {
  alsoTakes: { 'filter.tag': ['array'] },
  named: {
    'filter.start_date': 'start_date',
    'filter.end_date': 'end_date',
    'filter.min_latency_ms': 'min_latency_ms',
    'filter.max_latency_ms': 'max_latency_ms',
  },
}
export const wrongScoredFilter: NonNullable<Route['wrong']> = {
  'filter.status': ['', 'Success'],
  'filter.start_date': [...wrongIso, '2024-03-01'],
  'filter.end_date': [...wrongIso, '2023-12-31'],
  'filter.tag': [Array(21).fill('a')],
  'filter.min_latency_ms': [100.5],
  'filter.max_latency_ms': [0.5],
  'filter.q': ['x'.repeat(1001)],
}
