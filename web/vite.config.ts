import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** `vite dev` shows the pages of this folder over a server that runs on the default address. */
const api = 'http://127.0.0.1:8000'

/** Writes each text of the build compressed beside it: the server sends those as they are. */
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

export default defineConfig({
  plugins: [react(), tailwind(), compressed()],
  build: { modulePreload: { polyfill: false } },
  server: { proxy: { '/v1': api, '/docs': api, '/openapi.json': api } },
})
