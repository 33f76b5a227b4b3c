#!/usr/bin/env node
// Plain JavaScript, so that an older Node can run it far enough to say what is wrong.
import { enableCompileCache } from 'node:module'

const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `Cairn needs Node 24 and this is Node ${process.versions.node}.\n` +
      'Node 24 comes with the dependencies: run "npm ci" (without --omit=optional), then "npm start".\n',
  )
  process.exit(1)
}
// Keeps the types-stripped, compiled modules: later starts take a fraction of the time and memory.
enableCompileCache()
await import('../src/main.ts')
