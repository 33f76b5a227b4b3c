// Builds the given workspaces, except those whose build is newer than its sources.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const workspaces = {
  server: {
    built: 'server/dist/main.js',
    sources: ['server/build.mjs', 'server/package.json', 'server/src/**/*.ts', '{contract,sdk}/src/**/*.ts'],
  },
  web: {
    built: 'web/dist/index.html',
    sources: ['web/{src,public}/**/*', 'web/{package.json,*.html,*.ts}', '{contract,sdk}/src/**/*.ts'],
  },
}

function isFresh({ built, sources }) {
  if (!fs.existsSync(root + built)) return false
  const { mtimeMs } = fs.statSync(root + built)
  return fs.globSync(sources, { cwd: root }).every((source) => fs.statSync(root + source).mtimeMs <= mtimeMs)
}

/** Builds a workspace if its build is missing or outdated. Returns false if the build failed. */
export function buildStale(workspace) {
  if (isFresh(workspaces[workspace])) return true
  process.stderr.write(`Building ${workspace} (once) …\n`)
  // The list of built files helps only in a manual build; the output of a failed build is shown whole.
  const { status, output, error } = spawnSync('npm', ['run', '--silent', 'build', '--workspace', workspace], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  })
  if (status === 0) return true
  process.stderr.write(
    `${error ?? output.slice(1).join('')}\nThe build of ${workspace} has failed; see above.\n`,
  )
  return false
}

if (import.meta.main && !process.argv.slice(2).every(buildStale)) process.exitCode = 1
