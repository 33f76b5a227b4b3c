// Makes release/cairn-<version>.tgz: the built server and dashboard, which npm installs with the command `cairn`.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Manifest {
  version: string
  license: string
  description: string
  optionalDependencies: Record<string, string>
  type?: string
  main?: string
  exports?: object
}

const folder = fileURLToPath(new URL('.', import.meta.url))
const root = join(folder, '..')
const release = join(root, 'release')

function manifestOf(path: string): Manifest {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
}

function write(path: string, manifest: object): void {
  writeFileSync(join(path, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
}

/**
 * Libraries that are not in the bundle, because they look for files of their own, and the files that are needed. They are part of
 * the package, so that an installation needs no registry for them.
 */
const bundled: Readonly<Record<string, string[]>> = {
  unpdf: ['dist/**/*.{js,mjs}'],
  '@fastify/swagger-ui': ['static/**'],
  '@orama/stemmers': ['dist/*.cjs'],
  '@orama/stopwords': ['dist/*.cjs'],
  'wink-nlp': ['src/**/*.js'],
  'wink-eng-lite-web-model': ['dist/**'],
}

function copyLibrary(name: string, target: string): void {
  const from = join(root, 'node_modules', name)
  const to = join(target, 'node_modules', name)
  for (const file of globSync([...(bundled[name] ?? []), 'LICENSE*'], { cwd: from })) {
    if (statSync(join(from, file)).isFile()) cpSync(join(from, file), join(to, file))
  }
  const { version, license, type, main, exports } = manifestOf(from)
  write(to, { name, version, license, type, main, exports })
}

/** The files in the same places as in the repository, because the server finds the dashboard by its path. */
function assemble(target: string): void {
  const [ours, whole] = [manifestOf(folder), manifestOf(root)]
  const { version, license } = ours
  for (const path of ['server/bin', 'server/migrations', 'web/dist', 'LICENSE', 'README.md']) {
    cpSync(join(root, path), join(target, path), { recursive: true })
  }
  for (const name of Object.keys(bundled)) copyLibrary(name, target)
  // Not the folder of `npm start`, in which files of earlier builds can be left.
  execFileSync(process.execPath, ['build.mjs', join(target, 'server/dist')], {
    cwd: folder,
    stdio: 'inherit',
  })
  write(join(target, 'server'), { name: '@cairn/server', version, private: true, type: 'module' })
  write(target, {
    name: 'cairn',
    version,
    description: whole.description,
    license,
    type: 'module',
    bin: { cairn: 'server/bin/cairn.mjs' },
    dependencies: Object.fromEntries(
      Object.keys(bundled).map((name) => [name, manifestOf(join(root, 'node_modules', name)).version]),
    ),
    bundleDependencies: Object.keys(bundled),
    // Node 24 for machines with an older one: npx finds it before theirs.
    optionalDependencies: { ...ours.optionalDependencies, ...whole.optionalDependencies },
  })
}

execFileSync(process.execPath, ['scripts/build-stale.mjs', 'web'], { cwd: root, stdio: 'inherit' })
const target = mkdtempSync(join(tmpdir(), 'cairn-pack-'))
try {
  assemble(target)
  mkdirSync(release, { recursive: true })
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', release], {
    cwd: target,
    encoding: 'utf8',
  })
  console.log(join('release', packed.trim()))
} finally {
  rmSync(target, { recursive: true, force: true })
}
