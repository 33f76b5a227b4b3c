import type { Route } from './route.ts'
import { wrongVersions } from './route-samples.ts'

const reads = { credential: 'project-key', permission: 'read', status: 200 } as const
const writes = { credential: 'project-key', permission: 'write', status: 200 } as const
const makes = { ...writes, status: 201 } as const

/** Versions of a prompt and model. */
export const versionRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/{project_id}/versions',
    ...makes,
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
  { method: 'GET', path: '/v1/{project_id}/versions', ...reads },
  { method: 'GET', path: '/v1/{project_id}/versions/{version_id}', ...reads },
  { method: 'POST', path: '/v1/{project_id}/versions/{version_id}/rollback', ...writes },
  {
    method: 'GET',
    path: '/v1/{project_id}/versions/compare',
    query: 'a={version_id}&b={version_id}',
    ...reads,
  },
  { method: 'GET', path: '/v1/{project_id}/versions/history', ...reads },
]
