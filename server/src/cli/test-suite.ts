import { constants } from 'node:fs'
import { access, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Run, SuiteSummary } from '@cairn/sdk'
import type { Config } from '../config.ts'
import { createProgress, type Progress, plural, stopOnSignal } from './progress.ts'
import { calling, connect, isUnreachable, type Remote, remoteOptions } from './remote.ts'
import { failedCases, progressLine, summaryOf } from './run-report.ts'
import { findSuite, findVersion } from './suites.ts'
import { oneLine, say } from './tables.ts'
import { parseCommand, RemoteError, UsageError } from './usage.ts'

const everyMs = 250
/** How long to wait for a server that restarts; it continues the run afterwards. */
const patienceMs = 30_000

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isNaN(value)) throw new UsageError(`--${name} must be a number`)
  return value
}

async function checkFolder(name: string, file: string | undefined): Promise<void> {
  if (file === undefined) return
  try {
    await access(dirname(file), constants.W_OK)
  } catch {
    throw new UsageError(`--${name}: ${dirname(file)} is no folder that can be written to`)
  }
}

function parse(args: string[]) {
  const text = { type: 'string' } as const
  const { positionals, values } = parseCommand({
    args,
    allowPositionals: true,
    options: {
      ...remoteOptions,
      'fail-under': text,
      junit: text,
      json: text,
      version: text,
      concurrency: text,
      timeout: text,
      name: text,
    },
  })
  const [suite, ...others] = positionals
  if (!suite || others.length > 0) throw new UsageError('name one suite, by its id or its name')
  const failUnder = numberOf('fail-under', values['fail-under']) ?? 1
  if (failUnder < 0 || failUnder > 1) throw new UsageError('--fail-under must be a number from 0 to 1')
  const concurrency = numberOf('concurrency', values.concurrency)
  const timeout = numberOf('timeout', values.timeout)
  return { ...values, suite, failUnder, concurrency, timeout }
}

type Arguments = ReturnType<typeof parse>

async function start(remote: Remote, suite: SuiteSummary, args: Arguments) {
  const version = args.version === undefined ? undefined : await findVersion(remote, args.version)
  return remote.client.testing.suites.run(remote.projectId, suite.suite_id, {
    ...(args.name !== undefined && { name: args.name }),
    ...(version && { version_id: version.version_id }),
    ...(args.concurrency !== undefined && { concurrency: args.concurrency }),
    ...(args.timeout !== undefined && { timeout_ms: args.timeout }),
  })
}

/** The current state of the run; undefined if the server cannot be reached at the moment. */
async function look({ client, projectId }: Remote, runId: string): Promise<Run | undefined> {
  try {
    return await client.testing.runs.get(projectId, runId)
  } catch (error) {
    if (isUnreachable(error)) return undefined
    throw error
  }
}

/** Follows a run to its end; cancels it on the server when `signal` aborts. */
async function follow(remote: Remote, runId: string, progress: Progress, signal: AbortSignal): Promise<Run> {
  const startedMs = performance.now()
  let seenMs = startedMs
  for (;;) {
    if (signal.aborted) return remote.client.testing.runs.cancel(remote.projectId, runId)
    const run = await look(remote, runId)
    if (run) {
      seenMs = performance.now()
      if (run.status !== 'running') return run
      progress.show(() => progressLine(run, (performance.now() - startedMs) / 1000))
    } else if (performance.now() - seenMs > patienceMs) {
      throw new RemoteError(
        `the server at ${remote.url} does not respond; it continues ${runId} when it is back`,
      )
    }
    await pause(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

async function writeFiles(remote: Remote, run: Run, { junit, json }: Arguments): Promise<void> {
  const { runs } = remote.client.testing
  const at = [remote.projectId, run.run_id] as const
  if (junit !== undefined) await writeFile(junit, await runs.junit(...at))
  if (json !== undefined) {
    const { results } = await runs.results(...at)
    await writeFile(json, `${JSON.stringify({ ...run, results }, null, 2)}\n`)
  }
}

function exitCode(run: Run, failUnder: number, isStopped: boolean): number {
  if (isStopped && run.status === 'cancelled') return 130
  return run.status === 'completed' && run.pass_rate >= failUnder ? 0 : 1
}

async function carryOut(remote: Remote, args: Arguments): Promise<number> {
  const suite = await findSuite(remote, args.suite)
  const signal = stopOnSignal()
  const { run_id } = await start(remote, suite, args)
  say(`run ${run_id} of ${oneLine(suite.name)}: ${plural(suite.case_count, 'case')}`)
  const progress = createProgress()
  try {
    const run = await follow(remote, run_id, progress, signal)
    progress.end()
    await writeFiles(remote, run, args)
    say('')
    for (const line of summaryOf(run, suite, args.failUnder)) say(line)
    if (run.failed > 0) {
      const { results } = await remote.client.testing.runs.results(remote.projectId, run_id)
      for (const line of failedCases(results)) say(line)
    }
    return exitCode(run, args.failUnder, signal.aborted)
  } finally {
    progress.end()
  }
}

/** Runs a suite on a server and waits for its end. */
export async function testSuite(_config: Config, args: string[]): Promise<number> {
  const parsed = parse(args)
  await checkFolder('junit', parsed.junit)
  await checkFolder('json', parsed.json)
  const remote = connect(parsed)
  return calling(remote, () => carryOut(remote, parsed))
}
