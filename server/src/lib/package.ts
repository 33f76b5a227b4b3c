import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** True in the built server, whose modules are all in `dist`; false if the sources run directly. */
const isBuilt = import.meta.url.endsWith('.js')

/** The folder of the server's package. */
export const packageRoot = new URL(isBuilt ? '../' : '../../', import.meta.url)

/** The module of a worker thread or child process. `name` is its path below `src`, without the extension. */
export function workerModule(name: string): URL {
  return new URL(isBuilt ? `dist/${name}.js` : `src/${name}.ts`, packageRoot)
}

/**
 * The only files and folders that a child process may read: the server's code and its libraries. Node checks real
 * paths, so libraries that are linked from other folders (workspaces, pnpm, npm link) are listed with their real paths.
 */
export function codePaths(root = fileURLToPath(packageRoot)): string[] {
  const paths = new Set<string>()
  for (const path of ['dist', 'src', 'package.json']) addPath(paths, join(root, path))
  addLibraries(paths, realpathSync(root))
  return [...paths]
}

/** Adds the folders in which Node looks for imported packages, and packages that are linked into these folders. */
function addLibraries(paths: Set<string>, root: string): void {
  const folders = nodeModulesAbove(root)
  for (const folder of folders) addPath(paths, folder)
  for (const name of dependenciesOf(root)) {
    const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
    const path = found && realpathSync(found)
    if (!path || isWithin(paths, path)) continue
    addPath(paths, path)
    addLibraries(paths, path)
  }
}

function addPath(paths: Set<string>, path: string): void {
  if (!existsSync(path)) return
  const real = realpathSync(path)
  paths.add(statSync(real).isDirectory() ? real + sep : real)
}

function isWithin(paths: ReadonlySet<string>, path: string): boolean {
  return [...paths].some((each) => path.startsWith(each))
}

function nodeModulesAbove(root: string): string[] {
  const folders: string[] = []
  for (let folder = root; ; folder = dirname(folder)) {
    folders.push(join(folder, 'node_modules'))
    if (folder === dirname(folder)) return folders
  }
}

/** Names of the packages that a package imports. */
function dependenciesOf(root: string): string[] {
  const file = join(root, 'package.json')
  if (!existsSync(file)) return []
  const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: object }
  return Object.keys(dependencies)
}
