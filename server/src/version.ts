import { readFileSync } from 'node:fs'
import { packageRoot } from './lib/package.ts'

const manifest = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
  version: string
}

export const version = manifest.version
