import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The server behind `vite dev`, on its default address. */
const api = 'http://127.0.0.1:8000'

/** Writes a compressed copy beside each text file of the build; the server sends these copies. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      const folder = fileURLToPath(new URL('dist/assets/', import.meta.url))
      for (const name of readdirSync(folder)) {
        if (!/\.(js|css|svg)$/.test(name)) continue
        const content = readFileSync(folder + name)
        writeFileSync(`${folder}${name}.br`, brotliCompressSync(content))
        writeFileSync(`${folder}${name}.gz`, gzipSync(content))
      }
    },
  }
}

/** Libraries of overlays, and parts of ui/ that load on demand. */
const overlays =
  /radix|floating-ui|remove-scroll|aria-hidden|style-singleton|use-sidecar|use-callback-ref|get-nonce/
const late = /\/ui\/(opened-\w+|tabs|snippets|chart\/plot)\.tsx$/

/** Modules that render texts and JSON of traces and answers, without those of code, which every screen may show. */
const texts = /\/ui\/(json-tree\.tsx|text\/(?!highlight|direction))|node_modules\/marked\//

/**
 * Groups of modules, to keep the number of files low: each file costs a request and a kilobyte of headers. Modules of every
 * screen, of many screens, and of the lists of traces share a file; each screen has a further file.
 */
const groups = [
  { name: 'main', tags: ['$initial' as const], priority: 4 },
  { name: 'overlays', test: overlays, priority: 3 },
  { name: 'texts', test: texts, priority: 3 },
  {
    name: 'ui',
    test: (id: string) => /web\/src\/ui\/|lucide|tanstack/.test(id) && !late.test(id),
    minShareCount: 3,
    priority: 2,
  },
  { name: 'lists', test: /(features\/traces|shared\/filters)\//, minShareCount: 3, priority: 1 },
]

export default defineConfig({
  plugins: [react(), tailwind(), compressed()],
  build: { modulePreload: { polyfill: false }, rolldownOptions: { output: { codeSplitting: { groups } } } },
  server: { proxy: { '/v1': api, '/docs': api, '/openapi.json': api, '/openapi-console.json': api } },
})
