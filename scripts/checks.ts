import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface Check {
  name: string
  command: readonly string[]
  /** A pattern that the output must match, because a tool that checked nothing also succeeds. */
  saw: RegExp
}

/** Comes before the tests, which start the built server. */
export const build: Check = {
  name: 'dashboard builds',
  command: ['npm', 'run', '--silent', 'build'],
  saw: /built in/,
}

/** The checks of types and style. */
export const quickChecks: readonly Check[] = [
  {
    name: 'types of server, sdk, tests and benchmarks hold',
    command: ['tsc', '-p', '.', '--listFiles'],
    saw: /server\/src\/app\.ts/,
  },
  { name: 'types of the dashboard hold', command: ['tsc', '-p', 'web'], saw: /^$/ },
  { name: 'types of the example page hold', command: ['tsc', '-p', 'docs/guides/sign-in'], saw: /^$/ },
  { name: 'format and lint', command: ['biome', 'ci', '.'], saw: /Checked \d{3,} files/ },
]

export const checks: readonly Check[] = [
  ...quickChecks,
  { name: 'no unused files, exports or dependencies', command: ['knip'], saw: /^$/ },
  {
    // The good result of knip is silence, so this check proves that it reads our files.
    name: 'the check for unused exports sees them',
    command: ['knip', '--include-entry-exports', '--no-exit-code', '--no-config-hints'],
    saw: /contract\/src\//,
  },
]

/** Runs one check; prints its output if it fails. */
function passes({ name, command: [tool = '', ...args], saw }: Check): Promise<boolean> {
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve) => {
    execFile(tool, args, options, (error, stdout, stderr) => {
      const output = stdout + stderr
      const good = error === null && saw.test(output.trim())
      console.log(`${good ? '✓' : '×'} ${name}`)
      if (!good) console.log(output || error?.message)
      resolve(good)
    })
  })
}

/** Runs checks one after the other; returns how many passed and failed. */
export async function runChecks(list: readonly Check[]) {
  let passed = 0
  for (const check of list) if (await passes(check)) passed++
  return { passed, failed: list.length - passed, skipped: 0 }
}

if (import.meta.main) process.exitCode = (await runChecks([build, ...checks])).failed === 0 ? 0 : 1
