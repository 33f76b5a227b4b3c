import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Check {
  name: string
  command: string[]
  /** A pattern that the output must match, because a tool that checked nothing also succeeds. */
  saw: RegExp
}

const checks: Check[] = [
  { name: 'dashboard builds', command: ['npm', 'run', '--silent', 'build'], saw: /built in/ },
  {
    name: 'types of server, sdk, tests and benchmarks',
    command: ['tsc', '-p', '.', '--listFilesOnly'],
    saw: /server\/src\/app\.ts/,
  },
  { name: 'types hold', command: ['tsc', '-p', '.'], saw: /^$/ },
  { name: 'types of the dashboard hold', command: ['tsc', '-p', 'web'], saw: /^$/ },
  { name: 'types of the example page hold', command: ['tsc', '-p', 'docs/guides/sign-in'], saw: /^$/ },
  { name: 'format and lint', command: ['biome', 'ci', '.'], saw: /Checked \d{3,} files/ },
  { name: 'no unused files, exports or dependencies', command: ['knip'], saw: /^$/ },
  {
    // The good result of knip is silence, so this check proves that it reads our files.
    name: 'the check for unused exports sees them',
    command: ['knip', '--include-entry-exports', '--no-exit-code', '--no-config-hints'],
    saw: /contract\/src\//,
  },
]

/** Runs one check; prints its output if it fails. */
function passes({ name, command: [tool = '', ...args], saw }: Check): boolean {
  const { status, stdout, stderr } = spawnSync(tool, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const output = `${stdout ?? ''}${stderr ?? ''}`
  const good = status === 0 && saw.test(output.trim())
  console.log(`${good ? '✓' : '×'} ${name}`)
  if (!good) console.log(output || `${tool} did not run`)
  return good
}

/** Builds the dashboard and runs every static check; returns how many passed and failed. */
export function runChecks(): { passed: number; failed: number } {
  const results = checks.map(passes)
  const passed = results.filter(Boolean).length
  return { passed, failed: results.length - passed }
}

if (import.meta.main) process.exitCode = runChecks().failed === 0 ? 0 : 1
