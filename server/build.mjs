// Bundles the server and its libraries into dist: a few files of plain JavaScript start faster than stripped types and
// hundreds of small files, and take 30 MB less memory.
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Libraries that look for files of their own beside their code. */
const external = /^(?:unpdf|koffi|onnxruntime-web)(?:\/|$)/

const bundle = await rolldown({
  cwd: root,
  input: {
    main: 'src/main.ts',
    'db/sqlite/worker': 'src/db/sqlite/worker.ts',
    'domains/documents/extraction/worker': 'src/domains/documents/extraction/worker.ts',
    'domains/scorers/worker': 'src/domains/scorers/worker.ts',
    'domains/relating/worker': 'src/domains/relating/worker.ts',
    'domains/retrieval/indexing/worker': 'src/domains/retrieval/indexing/worker.ts',
    'domains/testing/worker': 'src/domains/testing/worker.ts',
    'lib/children/main': 'src/lib/children/main.ts',
    'models/local/worker': 'src/models/local/worker.ts',
  },
  platform: 'node',
  external,
  // No module of ours has effects when it is imported. So a child process does not load modules that it does not use.
  treeshake: { moduleSideEffects: [{ test: /[\\/](?:server|contract)[\\/]src[\\/]/, sideEffects: false }] },
})
// Stable names: a build replaces the files of the one before.
await bundle.write({ dir: process.argv[2] ?? 'dist', format: 'esm', chunkFileNames: '[name].js' })
