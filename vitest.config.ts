import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take half a minute and more. They come first, so that none of them is left to run alone at the end;
 * those that wait stand between those that keep a core busy.
 */
const longest = [
  'http/import',
  'http/webhooks',
  'browser/chats',
  'http/test-runs-kill',
  'http/hostile-corpus',
  'http/fuzz-routes',
  'http/hostile-uploads',
  'browser/analytics',
  'http/relationships',
  'http/access',
  'http/judging-batches',
  'browser/graph',
  'http/providers',
  'http/analytics',
  'http/cli-suites',
  'browser/traces',
  'http/doctor',
  'http/bad-input',
  'browser/suites',
  'browser/settings',
  'http/traces-filters',
  'browser/playground',
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
    // Hundreds of processes come and go on two cores: what loses a race against the machine gets a second try, and is named.
    retry: 1,
    // A process for each of the files would cost as much as what most of them do.
    isolate: false,
    // One more than the cores that it is measured on: many tests wait.
    maxWorkers: 4,
  },
})
