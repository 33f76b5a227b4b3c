import type { Run } from '@cairn/contract'
import { expect, it } from 'vitest'
import { junitHead } from './junit.ts'

it('counts cases without a result as errors, and not as failures', () => {
  const run = { passed: 4, failed: 3, errors: 2, avg_latency_ms: 500, started_at: '2026-01-02T03:04:05.000Z' }
  const head = junitHead({ ...run, run_id: 'run_1', suite_id: 'ste_1', status: 'completed' } as Run, 'suite')
  expect(head).toContain('<testsuites name="suite" tests="7" failures="1" errors="2" time="3.500">')
})
