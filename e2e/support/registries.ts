import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Packages have the versions of this day, so that a new release of a library breaks no test. */
const asOf = '2026-11-22'

const unreachable =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|error sending request|Failed to fetch/

/** Undefined, with a message, if the call fails because a registry cannot be reached. Other errors are thrown. */
async function ifReachable<T>(what: string, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call()
  } catch (error) {
    if (!unreachable.test(String((error as { stderr?: string }).stderr))) throw error
    console.warn(`skipped: ${what} (the registry cannot be reached)`)
    return undefined
  }
}

/**
 * A folder with npm packages in its `node_modules`; undefined if the registry cannot be reached. npm keeps the folder in
 * its cache, so only the first run on a machine installs it.
 */
export function npmPackages(packages: readonly string[]): Promise<string | undefined> {
  return ifReachable(packages.join(' '), async () => {
    const wanted = packages.map((name) => `--package=${name}`)
    const options = ['--yes', `--before=${asOf}`, '--fetch-retries=0', '--loglevel=error']
    const args = ['exec', ...options, ...wanted, '--', 'sh', '-c', 'echo "$PATH"']
    // In a folder of this repository, npm would use the packages that are there.
    const { stdout } = await run('npm', args, { cwd: tmpdir() })
    const [bin = ''] = stdout.split(':')
    return dirname(dirname(bin))
  })
}

/** True if this machine has uv, which installs packages of Python; otherwise prints which tests are skipped. */
export async function hasUv(what: string): Promise<boolean> {
  try {
    await run('python3', ['-m', 'uv', '--version'])
    return true
  } catch {
    console.warn(`skipped: ${what} (python3 -m pip install uv)`)
    return false
  }
}

/**
 * Runs a program with packages of Python in an environment of uv's cache. Returns its output; undefined if PyPI cannot be
 * reached.
 */
export function withPythonPackages(
  packages: readonly string[],
  [command, ...args]: readonly [string, ...string[]],
  options: { cwd: string; env: Record<string, string | undefined> },
): Promise<string | undefined> {
  const wanted = packages.flatMap((name) => ['--with', name])
  const uv = ['-m', 'uv', 'run', '--quiet', '--no-project', '--exclude-newer', asOf, ...wanted]
  return ifReachable(packages.join(' '), async () => {
    // uv needs this machine's settings for certificates and proxies. Compiled files are kept for the next run.
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '', ...options.env }
    const { stdout } = await run('python3', [...uv, command, ...args], { ...options, env })
    return stdout
  })
}
