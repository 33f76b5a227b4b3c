// Makes release/cairn-sdk-<version>.tgz: one module of plain JavaScript, and its types.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { contractTypes } from './contract-types.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const root = join(folder, '..')
const dist = join(folder, 'dist')
const release = join(root, 'release')

/** Bundles the sources. The contract gives only types, so nothing else is in the bundle. */
async function bundle(): Promise<void> {
  const build = await rolldown({
    cwd: folder,
    input: 'src/index.ts',
    platform: 'neutral',
    external: /^[^./]/,
  })
  const { output } = await build.write({ dir: dist, format: 'esm', entryFileNames: 'index.js' })
  const [{ imports }] = output
  if (imports.length > 0) throw new Error(`the bundle imports ${imports.join(', ')}`)
}

/** Names of the contract's types that the sources use. */
function usedTypes(files: readonly string[]): string[] {
  const imports = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/(?:im|ex)port type \{([^}]+)\} from '@cairn\/contract'/g),
  ])
  return imports.flatMap(([, names = '']) => names.split(',').map((name) => name.trim())).filter(Boolean)
}

/** Declares the types. TypeScript reads the sources; the types of the contract are written without TypeBox. */
function declare(): void {
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
  const files = sources.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const types = join(dist, 'types')
  const contract = contractTypes(usedTypes(files.map((name) => join(folder, 'src', name))))
  mkdirSync(types)
  writeFileSync(join(types, 'contract.d.ts'), contract)
  execFileSync('tsc', ['-p', join(folder, 'tsconfig.types.json')], { stdio: 'inherit' })
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const up = name.includes('/') ? '..' : '.'
    const text = readFileSync(join(types, name), 'utf8')
      .replaceAll("'@cairn/contract'", `'${up}/contract.js'`)
      .replaceAll('"@cairn/contract"', `'${up}/contract.js'`)
      .replace(/(['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2')
    if (/typebox|@cairn/i.test(text)) throw new Error(`${name} refers to a package that is not published`)
    writeFileSync(join(types, name), text)
  }
}

/** The manifest of the package. That of the workspace points to the sources. */
function manifest(): object {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return {
    name,
    version,
    description: 'TypeScript client of Cairn: traces, scores, documents, cited answers.',
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.16' },
    exports: { '.': { types: './types/index.d.ts', default: './index.js' } },
  }
}

rmSync(dist, { recursive: true, force: true })
await bundle()
declare()
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`)
copyFileSync(join(folder, 'README.md'), join(dist, 'README.md'))
copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))
mkdirSync(release, { recursive: true })
const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', release], {
  cwd: dist,
  encoding: 'utf8',
})
console.log(join('release', packed.trim()))
