import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from './api.ts'

/** The run once it is over, or once `isEnough` says so. */
export async function runEnd(
  project: Api,
  projectId: string,
  runId: string,
  // biome-ignore lint/suspicious/noExplicitAny: the suite checks shapes at run time
  isEnough: (run: any) => boolean = ({ status }) => status !== 'running',
  timeoutMs = 120_000,
) {
  const end = Date.now() + timeoutMs
  for (;;) {
    const { body } = await project.ok('GET', `/v1/${projectId}/testing/runs/${runId}`)
    if (isEnough(body)) return body
    if (Date.now() > end) throw new Error(`the run is still ${JSON.stringify(body)}`)
    await pause(20)
  }
}
