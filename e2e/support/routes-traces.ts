import type { Route } from './route.ts'
import { prefixed, trace, traceAlsoTakes, traceFree, traceWrong, wrongNames } from './route-samples.ts'

const ingests = { credential: 'project-key', permission: 'ingest', status: 201 } as const
const reads = { credential: 'project-key', permission: 'read', status: 200 } as const
const writes = { credential: 'project-key', permission: 'write', status: 200 } as const

/** Routes for traces, scores, sessions and analytics. */
export const traceRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/{project_id}/traces',
    ...ingests,
    body: trace,
    required: ['input', 'output'],
    alsoTakes: traceAlsoTakes,
    free: traceFree,
    wrong: traceWrong,
  },
  {
    method: 'POST',
    path: '/v1/{project_id}/traces/batch',
    ...ingests,
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
    method: 'POST',
    path: '/v1/{project_id}/traces/tags',
    ...writes,
    body: { trace_ids: ['trc_1'], add: ['checked'], remove: ['open'] },
    required: ['trace_ids'],
    wrong: {
      trace_ids: [[], Array.from({ length: 101 }, () => 'trc_1')],
      add: [[''], Array.from({ length: 21 }, (_, at) => `${at}`)],
    },
  },
  { method: 'GET', path: '/v1/{project_id}/analytics/traces', ...reads },
  { method: 'GET', path: '/v1/{project_id}/analytics/traces/{trace_id}', ...reads },
  {
    method: 'POST',
    path: '/v1/{project_id}/traces/{trace_id}/scores',
    ...ingests,
    body: { name: 'quality', value: 0.5, comment: 'fine', span_id: '1' },
    required: ['name', 'value'],
    wrong: {
      name: wrongNames,
      value: [-0.01, 1.01, 5],
      comment: ['x'.repeat(10_001)],
      span_id: ['', 'a\0b'],
    },
  },
  { method: 'GET', path: '/v1/{project_id}/analytics/metrics', ...reads },
  { method: 'GET', path: '/v1/{project_id}/traces/{trace_id}/scores', ...reads },
  { method: 'GET', path: '/v1/{project_id}/analytics/costs', ...reads },
  { method: 'GET', path: '/v1/{project_id}/analytics/performance', ...reads },
  { method: 'GET', path: '/v1/{project_id}/analytics/timeseries', ...reads },
  { method: 'GET', path: '/v1/{project_id}/analytics/breakdown', query: 'group_by=model', ...reads },
  { method: 'GET', path: '/v1/{project_id}/analytics/scores', ...reads },
  { method: 'GET', path: '/v1/{project_id}/analytics/sessions', ...reads },
  { method: 'GET', path: '/v1/{project_id}/analytics/sessions/{session_id}', ...reads },
  { method: 'DELETE', path: '/v1/{project_id}/traces/{trace_id}', ...writes, destroys: true },
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
    ...writes,
    destroys: true,
  },
  { method: 'GET', path: '/v1/{project_id}/analytics/export', ...reads },
  {
    method: 'GET',
    path: '/v1/{project_id}/scores',
    query: 'source=human&min_value=0.1&status=success',
    ...reads,
  },
]
