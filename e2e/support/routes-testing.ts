import type { Route } from './route.ts'
import { prefixed, webhookWrong, wrongNames } from './route-samples.ts'

const reads = { credential: 'project-key', permission: 'read', status: 200 } as const
const writes = { credential: 'project-key', permission: 'write', status: 200 } as const
const makes = { ...writes, status: 201 } as const

const suites = '/v1/{project_id}/testing/suites'
const cases = `${suites}/{suite_id}/cases`
const runs = '/v1/{project_id}/testing/runs'

const target = {
  type: 'http',
  url: 'https://target.invalid/ask',
  headers: { 'x-key': 'secret' },
  output_path: 'data.text',
  chat_id: '{chat_id}',
  model: 'gpt-4o',
  prompt: 'Be brief.',
  temperature: 1,
  max_tokens: 100,
}
const longText = 'x'.repeat(100_001)
const targetWrong: Record<string, readonly unknown[]> = {
  type: ['', 'HTTP', 'ftp'],
  url: webhookWrong.url ?? [],
  headers: [
    { 'a b': 'x' },
    { '': 'x' },
    { 'x-key': 'a\nb' },
    { 'x-key': 'ü' },
    { Host: 'x' },
    { 'content-length': '1' },
    Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, 'x'])),
  ],
  output_path: ['', 'x'.repeat(201)],
  chat_id: ['', 'x'.repeat(201)],
  model: ['', 'x'.repeat(201)],
  prompt: [longText],
  temperature: [-0.1, 2.1],
  max_tokens: [0, -1, 1.5, 1_000_001],
}
const suite = { name: 'a suite', description: 'what it is for', tags: ['a'], target }
const description = ['x'.repeat(10_001)]
const suiteWrong = {
  name: wrongNames,
  description,
  tags: [[''], [null], Array(101).fill('a')],
  'tags[0]': ['', 'x'.repeat(201)],
  ...prefixed('target.', targetWrong),
}

const testCase = {
  query: 'What is up?',
  expected_answer: 'The sky.',
  category: 'weather',
  assertions: [
    { type: 'min_score', value: 0.5, scorer: 'rouge-l' },
    { type: 'contains', value: 'sky' },
  ],
}
const caseWrong = {
  query: ['', '  \n', longText],
  expected_answer: [longText],
  category: ['', 'x'.repeat(201)],
  assertions: [Array(51).fill({ type: 'equals', value: '' }), [null]],
  'assertions[0].type': ['', 'Contains', 'equal', '__proto__'],
  'assertions[0].value': [-0.1, 1.1, null],
  'assertions[0].scorer': ['', 'no-such-scorer', 'x'.repeat(65)],
}

const run = {
  name: 'nightly',
  notes: 'after the change',
  version_id: '{version_id}',
  target: { type: 'builtin' },
  concurrency: 2,
  timeout_ms: 5000,
}

/** Suites, cases and runs. */
export const testingRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: suites,
    ...makes,
    body: suite,
    required: ['name', 'target.type'],
    free: ['target.headers'],
    wrong: suiteWrong,
  },
  { method: 'GET', path: suites, ...reads },
  { method: 'GET', path: `${suites}/{suite_id}`, ...reads },
  {
    method: 'PATCH',
    path: `${suites}/{suite_id}`,
    ...writes,
    body: suite,
    required: ['target.type'],
    free: ['target.headers'],
    wrong: suiteWrong,
  },
  { method: 'DELETE', path: `${suites}/{suite_id}`, ...writes, destroys: true },
  {
    method: 'POST',
    path: cases,
    ...makes,
    body: { ...testCase, trace_id: '{trace_id}' },
    required: ['assertions[0].type', 'assertions[0].value'],
    wrong: { ...caseWrong, trace_id: ['', 'x'.repeat(201)] },
  },
  { method: 'GET', path: cases, ...reads },
  { method: 'GET', path: `${cases}/{case_id}`, ...reads },
  {
    method: 'PATCH',
    path: `${cases}/{case_id}`,
    ...writes,
    body: testCase,
    required: ['assertions[0].type', 'assertions[0].value'],
    wrong: caseWrong,
  },
  { method: 'DELETE', path: `${cases}/{case_id}`, ...writes, destroys: true },
  {
    method: 'POST',
    path: `${suites}/{suite_id}/run`,
    ...makes,
    body: run,
    required: ['target.type'],
    wrong: {
      name: wrongNames,
      notes: description,
      version_id: ['', 'x'.repeat(201)],
      'target.type': ['', 'HTTP'],
      concurrency: [0, -1, 1.5, 33],
      timeout_ms: [0, 99, 1.5, 600_001],
    },
  },
  { method: 'GET', path: runs, ...reads },
  { method: 'GET', path: `${runs}/compare`, query: 'a={run_id}&b={run_id}', ...reads },
  { method: 'GET', path: `${runs}/{run_id}`, ...reads },
  {
    method: 'PATCH',
    path: `${runs}/{run_id}`,
    ...writes,
    body: { name: 'nightly', notes: 'after the change' },
    wrong: { name: wrongNames, notes: description },
  },
  { method: 'DELETE', path: `${runs}/{run_id}`, ...writes, destroys: true },
  { method: 'POST', path: `${runs}/{run_id}/cancel`, ...writes },
  { method: 'GET', path: `${runs}/{run_id}/results`, ...reads },
]
