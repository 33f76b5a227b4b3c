import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,sdk,web,docs,scripts}/**/*.test.ts', 'e2e/**/*.test.ts'],
    globalSetup: ['e2e/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Hundreds of processes come and go on two cores: what loses a race against the machine gets a second try, and is named.
    retry: 1,
    // A process for each of the files would cost as much as what most of them do.
    isolate: false,
    // One more than the cores that it is measured on: many tests wait.
    maxWorkers: 3,
  },
})
