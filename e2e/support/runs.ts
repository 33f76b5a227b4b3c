import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from './api.ts'

/** Waits until a run has ended, or until `isEnough` returns true. */
export async function runEnd(
  project: Api,
  projectId: string,
  runId: string,
  // biome-ignore lint/suspicious/noExplicitAny: the suite checks shapes at run time
  isEnough: (run: any) => boolean = ({ status }) => status !== 'running',
  timeoutMs = 120_000,
) {
  const end = Date.now() + timeoutMs
  // Rarely for long runs, because polling takes processor time from the run.
  for (let wait = 10; ; wait = Math.min(100, wait * 1.5)) {
    const { body } = await project.ok('GET', `/v1/${projectId}/testing/runs/${runId}`)
    if (isEnough(body)) return body
    if (Date.now() > end) throw new Error(`the run is still ${JSON.stringify(body)}`)
    await pause(wait)
  }
}

export interface NewCase {
  query: string
  expected_answer: string
  category?: string
  assertions?: object[]
}

/** Creates a suite with cases, in their order. */
export async function createSuite(
  project: Api,
  projectId: string,
  cases: readonly NewCase[],
  suite: object = {},
): Promise<{ suiteId: string; caseIds: string[] }> {
  const path = `/v1/${projectId}/testing/suites`
  const suiteId = (await project.ok('POST', path, { name: 'a suite', ...suite })).body.suite_id as string
  const caseIds: string[] = []
  for (const each of cases) {
    caseIds.push((await project.ok('POST', `${path}/${suiteId}/cases`, each)).body.case_id)
  }
  return { suiteId, caseIds }
}

export async function startRun(
  project: Api,
  projectId: string,
  suiteId: string,
  body?: object,
): Promise<string> {
  const answer = await project.ok('POST', `/v1/${projectId}/testing/suites/${suiteId}/run`, body)
  return answer.body.run_id
}

/** Starts a run, waits for its end, and returns its results. */
export async function runThrough(project: Api, projectId: string, suiteId: string, body?: object) {
  const runId = await startRun(project, projectId, suiteId, body)
  await runEnd(project, projectId, runId)
  return (await project.ok('GET', `/v1/${projectId}/testing/runs/${runId}/results`)).body
}
