import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest start first, so that none of them runs alone at the end. Files that mostly wait stand
 * between files that keep a core busy.
 */
const longest = [
  'http/hostile-corpus',
  'http/import',
  'http/connect-guides',
  'http/webhooks',
  'http/fuzz-routes',
  'http/access',
  'http/test-runs-kill',
  'http/bad-input',
  'http/graph-random',
  'http/scoring-batches',
  'http/kill',
  'http/hostile-uploads',
  'http/relationships',
  'http/answers-stream',
  'http/providers',
  'http/doctor',
  'browser/traces',
  'browser/graph',
  'http/connect-guides',
  'http/relationships-model',
  'http/traces-filters',
  'browser/server-page',
  'http/analytics',
  'browser/settings',
  'http/large-batches',
  'http/filters-random',
  'browser/analytics',
  'http/scoring-rules',
  'http/deleted-meanwhile',
  'http/budgets',
  'browser/chats',
  'http/documents-in-steps',
  'browser/suites',
  'http/cli-suites',
  'http/import-exports',
  'http/sdk-packed',
]

const place = ({ moduleId }: TestSpecification) => {
  const at = longest.findIndex((name) => moduleId.endsWith(`/e2e/${name}.test.ts`))
  return at === -1 ? longest.length : at
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    include: ['{contract,server,sdk,web,docs,scripts}/**/*.test.ts', 'e2e/**/*.test.ts'],
    globalSetup: ['e2e/support/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A process for each file would cost as much as most files do.
    isolate: false,
    // Fewer collections of garbage.
    execArgv: ['--min-semi-space-size=16'],
    // A test that loses a race is repeated once, and named. Two whole runs without it lost one and two.
    retry: 1,
    // More than the two cores of the test machine: tests spend a third of their time waiting for leases and retries.
    maxWorkers: 4,
  },
})
