#!/usr/bin/env node
import './require-node.mjs'
import { fileURLToPath } from 'node:url'
import { enableCompileCache } from './compile-cache.mjs'

const [command, ...rest] = process.argv.slice(2)
// The server rejects other values than on and off, and also arguments; neither needs a supervisor.
const setting = process.env.CAIRN_SUPERVISOR?.trim() || 'on'
const isSupervised = command === 'serve' && rest.length === 0 && setting === 'on'

if (isSupervised) {
  const { supervise } = await import('./supervisor.mjs')
  supervise(fileURLToPath(import.meta.url), [command])
} else {
  enableCompileCache()
  await import('../dist/main.js')
}
