import { expect, it } from 'vitest'
import { currentTenant } from '../../lib/current-work.ts'
import { sweep } from './sweep.ts'

it('each project is swept as its own tenant', async () => {
  const seen: unknown[] = []
  const see = async (projectId: string) => {
    seen.push([projectId, currentTenant()])
    return 1
  }
  const listProjects = async () => ['a', 'b'].map((project_id) => ({ project_id, retention_days: 1 }))
  const traces = {
    deleteOlder: see,
    deleteExpiredKeys: async (projectId: string) => void (await see(projectId)),
  }
  expect(await sweep({ projects: { listProjects }, traces, others: [{ deleteOlder: see }] })).toBe(2)
  const each = (projectId: string) => Array.from({ length: 3 }, () => [projectId, [projectId]])
  expect(seen).toEqual([...each('a'), ...each('b')])
})
