import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inventory } from '../e2e/http/inventory.ts'
import { build, checks, quickChecks, runChecks } from './checks.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** The counted fields of vitest's JSON report. */
interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  success: boolean
}

async function runTests(folder: string, ...filters: string[]): Promise<Counts> {
  const report = join(folder, 'report.json')
  const tests = spawn(
    'vitest',
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...filters],
    { cwd: root, stdio: 'inherit', env: { ...process.env, CAIRN_CALL_LOG: join(folder, 'calls.log') } },
  )
  const [status] = await once(tests, 'exit')
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
    readFileSync(report, 'utf8'),
  ) as Report
  // If a suite fails outside of its tests, there is no failed test, only the exit code.
  const failed = status === 0 ? numFailedTests : Math.max(1, numFailedTests)
  return { passed: numPassedTests, failed, skipped: numPendingTests }
}

function toPattern(endpoint: string): RegExp {
  const path = endpoint.replace(/[.]/g, '\\$&').replace(/\{\w+\}/g, '[^/ ]+')
  return new RegExp(`^${path} 2\\d\\d$`, 'm')
}

/** Endpoints that the inventory marks as done, but that no test has called successfully. */
function uncovered(folder: string): string[] {
  const log = join(folder, 'calls.log')
  const calls = existsSync(log) ? readFileSync(log, 'utf8') : ''
  const done = inventory.filter(({ state }) => state === 'done')
  return done.map(({ endpoint }) => endpoint).filter((endpoint) => !toPattern(endpoint).test(calls))
}

/** Fails if no test called an endpoint that the inventory marks as done. */
function checkInventory(folder: string): Counts {
  const missed = uncovered(folder)
  for (const endpoint of missed) console.log(`× no test called ${endpoint} successfully`)
  const todo = inventory.filter(({ state }) => state === 'to do').length
  console.log(`inventory: ${inventory.length - todo} of ${inventory.length} endpoints done, ${todo} to do`)
  return missed.length === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }
}

/** Runs all checks and tests. The checks run beside the tests, because the tests leave cores idle while they wait. */
async function runAll(folder: string): Promise<Counts[]> {
  const built = await runChecks([build])
  const [checked, tested] = await Promise.all([runChecks(checks), runTests(folder)])
  return [built, checked, tested, checkInventory(folder)]
}

/** Runs the checks of types and style and the tests beside the code. */
function runQuick(folder: string): Promise<Counts[]> {
  return Promise.all([runChecks(quickChecks), runTests(folder, '--exclude=e2e/**')])
}

const folder = mkdtempSync(join(tmpdir(), 'cairn-test-'))
try {
  const counts = await (process.argv.includes('--quick') ? runQuick(folder) : runAll(folder))
  const sum = (name: keyof Counts) => counts.reduce((total, count) => total + count[name], 0)
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`)
  process.exitCode = sum('failed') === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
