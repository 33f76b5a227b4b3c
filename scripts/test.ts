import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inventory } from '../e2e/http/inventory.ts'
import { runChecks } from './checks.ts'

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

function runTests(folder: string): Counts {
  const report = join(folder, 'report.json')
  const { status } = spawnSync(
    'vitest',
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { cwd: root, stdio: 'inherit', env: { ...process.env, CAIRN_CALL_LOG: join(folder, 'calls.log') } },
  )
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
  const calls = readFileSync(join(folder, 'calls.log'), 'utf8')
  const done = inventory.filter(({ state }) => state === 'done')
  return done.map(({ endpoint }) => endpoint).filter((endpoint) => !toPattern(endpoint).test(calls))
}

const folder = mkdtempSync(join(tmpdir(), 'cairn-test-'))
try {
  const checks = runChecks()
  const tests = runTests(folder)
  const missed = uncovered(folder)
  for (const endpoint of missed) console.log(`× no test called ${endpoint} successfully`)
  const todo = inventory.filter(({ state }) => state === 'to do').length
  console.log(`inventory: ${inventory.length - todo} of ${inventory.length} endpoints done, ${todo} to do`)
  const passed = checks.passed + tests.passed + (missed.length === 0 ? 1 : 0)
  const failed = checks.failed + tests.failed + (missed.length === 0 ? 0 : 1)
  const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''
  console.log(`${passed} passed, ${failed} failed${skipped}`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
