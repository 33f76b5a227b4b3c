import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** True in the built server, where all modules lie in `dist`; false when the sources run as they are. */
const isBuilt = import.meta.url.endsWith('.js')

/** The folder of the server's package. */
export const packageRoot = new URL(isBuilt ? '../' : '../../', import.meta.url)

/** The module of a worker thread or of a child process, named by its path below `src` without ending. */
export function workerModule(name: string): URL {
  return new URL(isBuilt ? `dist/${name}.js` : `src/${name}.ts`, packageRoot)
}

/** Files and folders with the server's code and its libraries, and nothing else: all that a child process may read. */
export function codePaths(): string[] {
  const own = isBuilt ? ['dist/', 'package.json'] : ['src/', 'package.json', '../contract/']
  const paths = own.map((path) => fileURLToPath(new URL(path, packageRoot)))
  for (let folder = packageRoot; ; folder = new URL('../', folder)) {
    paths.push(fileURLToPath(new URL('node_modules/', folder)))
    if (folder.pathname === new URL('../', folder).pathname) return paths.filter((path) => existsSync(path))
  }
}
