import type { SuiteOfVersions } from '@cairn/contract'
import { toSuiteRun } from './shapes.ts'
import type { RunStore } from './store-runs.ts'

/** The last completed run of each suite for each of two versions. Suites without a run of either version are left out. */
export async function runsOfVersions(
  store: RunStore,
  projectId: string,
  a: string,
  b: string,
): Promise<SuiteOfVersions[]> {
  const [ofA, ofB] = await Promise.all([store.latestOf(projectId, a), store.latestOf(projectId, b)])
  const names = new Map([...ofA, ...ofB].map(({ suite_id, suite_name }) => [suite_id, suite_name]))
  const runIn = (rows: typeof ofA, suiteId: string) => {
    const row = rows.find(({ suite_id }) => suite_id === suiteId)
    return row ? toSuiteRun(row) : null
  }
  return [...names].map(([suite_id, name]) => ({
    suite_id,
    name,
    a: runIn(ofA, suite_id),
    b: runIn(ofB, suite_id),
  }))
}
