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
  const { status } = spawnSync('npm', ['run', '--silent', 'build', '--workspace', workspace], {
    cwd: root,
    // Hides the list of built files, which helps only in a manual build.
    stdio: ['ignore', 'ignore', 2],
    shell: process.platform === 'win32',
  })
  return status === 0
}

if (import.meta.main && !process.argv.slice(2).every(buildStale)) process.exitCode = 1
