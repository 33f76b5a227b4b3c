import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `vite dev` shows the pages of this folder over a server that runs on the default address. */
const api = 'http://127.0.0.1:8000'

export default defineConfig({
  plugins: [react()],
  build: { modulePreload: { polyfill: false } },
  server: { proxy: { '/v1': api, '/docs': api, '/openapi.json': api } },
})
