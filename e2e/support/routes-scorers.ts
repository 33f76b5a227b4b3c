import type { Route } from './route.ts'
import {
  filterFields,
  scoredFilter,
  scorerBody,
  scorerWrong,
  wrongNames,
  wrongScoredFilter,
} from './route-samples.ts'

const reads = { credential: 'project-key', permission: 'read', status: 200 } as const
const writes = { credential: 'project-key', permission: 'write', status: 200 } as const
const makes = { ...writes, status: 201 } as const

const rule = {
  body: { name: 'a rule', scorer: 'json-valid', filter: scoredFilter, sample_rate: 0.5, enabled: false },
  ...filterFields,
  wrong: {
    ...wrongScoredFilter,
    name: wrongNames,
    scorer: ['', 'x'.repeat(65)],
    sample_rate: [-0.01, 1.01],
  },
}

/** Routes for scorers, batches and rules. */
export const scorerRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/{project_id}/score-with-judge',
    ...writes,
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
    ...makes,
    once: 'slug',
    body: { slug: 'tone', ...scorerBody },
    required: ['slug', 'prompt', 'choices'],
    free: ['choices'],
    wrong: { slug: ['', 'Tone', 'a b', '-a', 'a--b', 'a_b', 'x'.repeat(65)], ...scorerWrong },
  },
  { method: 'GET', path: '/v1/{project_id}/scorers', ...reads },
  { method: 'GET', path: '/v1/{project_id}/scorers/{slug}', ...reads },
  {
    method: 'PUT',
    path: '/v1/{project_id}/scorers/{slug}',
    ...writes,
    body: scorerBody,
    required: ['prompt', 'choices'],
    free: ['choices'],
    wrong: scorerWrong,
  },
  { method: 'DELETE', path: '/v1/{project_id}/scorers/{slug}', ...writes, destroys: true },
  {
    method: 'POST',
    path: '/v1/{project_id}/scorers/{slug}/run',
    ...makes,
    // A scorer of the project would need a model.
    fixed: { slug: 'json-valid' },
    body: { filter: scoredFilter, sample_rate: 0.5, limit: 10, overwrite: false },
    ...filterFields,
    wrong: {
      ...wrongScoredFilter,
      sample_rate: [-0.01, 1.01],
      limit: [0, -1, 1.5, 1e10],
    },
  },
  {
    method: 'GET',
    path: '/v1/{project_id}/scorers/runs',
    query: 'state=completed&scorer=json-valid',
    ...reads,
  },
  { method: 'GET', path: '/v1/{project_id}/scorers/runs/{scoring_id}', ...reads },
  { method: 'GET', path: '/v1/{project_id}/scorers/runs/{scoring_id}/failures', ...reads },
  { method: 'POST', path: '/v1/{project_id}/scorers/runs/{scoring_id}/cancel', ...writes },
  {
    method: 'POST',
    path: '/v1/{project_id}/scorers/rules',
    ...makes,
    ...rule,
    required: ['name', 'scorer'],
  },
  { method: 'GET', path: '/v1/{project_id}/scorers/rules', ...reads },
  { method: 'GET', path: '/v1/{project_id}/scorers/rules/{rule_id}', ...reads },
  {
    method: 'PATCH',
    path: '/v1/{project_id}/scorers/rules/{rule_id}',
    ...writes,
    ...rule,
  },
  { method: 'DELETE', path: '/v1/{project_id}/scorers/rules/{rule_id}', ...writes, destroys: true },
]
