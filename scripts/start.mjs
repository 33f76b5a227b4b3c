// `npm start`: builds the dashboard when it is missing or older than its sources, then serves.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
// As a whole: a name that an old Node lacks would fail before the line above could speak.
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = `${root}web/dist/index.html`

function isBuilt() {
  if (!fs.existsSync(built)) return false
  const sources = fs.globSync('{web/{src/**,*.html,*.ts,public/**},sdk/src/**,contract/src/**}', {
    cwd: root,
  })
  const { mtimeMs } = fs.statSync(built)
  return sources.every((source) => fs.statSync(root + source).mtimeMs <= mtimeMs)
}

if (!isBuilt()) {
  process.stderr.write('Building the dashboard (once) …\n')
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.stderr.write('The dashboard could not be built; the API works without it.\n')
}
process.argv.splice(2, 0, 'serve')
await import('../server/bin/cairn.mjs')
