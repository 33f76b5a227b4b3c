// `npm start` and `npm run cairn`: builds missing or outdated parts, then runs the command.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
// A default import: with an old Node, a missing named export would fail before the version check runs.
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

function isFresh(built, sources) {
  if (!fs.existsSync(root + built)) return false
  const { mtimeMs } = fs.statSync(root + built)
  return fs.globSync(sources, { cwd: root }).every((source) => fs.statSync(root + source).mtimeMs <= mtimeMs)
}

function build(workspace) {
  process.stderr.write(`Building ${workspace} (once) …\n`)
  const { status } = spawnSync('npm', ['run', '--silent', 'build', '--workspace', workspace], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  return status === 0
}

const server = ['server/build.mjs', 'server/package.json', 'server/src/**/*.ts', '{contract,sdk}/src/**/*.ts']
const web = ['web/{src,public}/**/*', 'web/*.{html,ts}', 'sdk/src/**/*.ts']

if (!isFresh('server/dist/main.js', server) && !build('server')) process.exit(1)
if (process.argv[2] === 'serve' && !isFresh('web/dist/index.html', web) && !build('web')) {
  process.stderr.write('The dashboard could not be built; the API works without it.\n')
}
// npm starts this script through a shell that ends on SIGTERM without passing it on.
if (process.env.npm_lifecycle_event) {
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 200)
  watch.unref()
}
await import('../server/bin/cairn.mjs')
