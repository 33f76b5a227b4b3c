#!/usr/bin/env node
import './require-node.mjs'
import { enableCompileCache } from './compile-cache.mjs'

enableCompileCache()
await import('../dist/main.js')
