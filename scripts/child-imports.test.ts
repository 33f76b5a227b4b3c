import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const dist = new URL('../server/dist/', import.meta.url)
const workers = [
  'domains/documents/extraction/worker',
  'domains/relating/worker',
  'domains/retrieval/indexing/worker',
  'domains/scorers/worker',
  'domains/testing/worker',
]

/** The bundled files that a module of the built server loads when it starts. */
function loadedFiles(module: URL, files = new Map<string, string>()): Map<string, string> {
  if (files.has(module.href)) return files
  const code = readFileSync(module, 'utf8')
  files.set(module.href, code)
  for (const [, path = ''] of code.matchAll(/^(?:import|export)\b[^;]*?"(\.[^"]+)"/gm)) {
    loadedFiles(new URL(path, module), files)
  }
  return files
}

/** Libraries whose code is in these files, by the comments of the bundler. */
function librariesIn(files: Map<string, string>): Set<string> {
  const comments = [...files.values()].flatMap((code) => [
    ...code.matchAll(/^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/\n]+)/gm),
  ])
  return new Set(comments.map(([, name = '']) => name))
}

test.each(workers)('%s does not load the database or the HTTP server into its child process', (name) => {
  const libraries = librariesIn(loadedFiles(new URL(`${name}.js`, dist)))
  for (const library of ['kysely', 'pg', 'fastify']) expect([...libraries]).not.toContain(library)
})

test('the server loads them', () => {
  const libraries = librariesIn(loadedFiles(new URL('serve.js', dist)))
  for (const library of ['kysely', 'pg', 'fastify']) expect([...libraries]).toContain(library)
})
