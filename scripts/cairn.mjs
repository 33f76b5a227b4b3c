// `npm start` and `npm run cairn`: builds missing or outdated parts, then runs the command.
import '../server/bin/require-node.mjs'
import { buildStale } from './build-stale.mjs'

if (!buildStale('server')) process.exit(1)
if (process.argv[2] === 'serve' && !buildStale('web')) {
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
