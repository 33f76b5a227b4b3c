/** True in the built server, where all modules lie in `dist`; false when the sources run as they are. */
const isBuilt = import.meta.url.endsWith('.js')

/** The folder of the server's package. */
export const packageRoot = new URL(isBuilt ? '../' : '../../', import.meta.url)

/** The module of a worker thread, named by its path below `src` without ending. */
export function workerModule(name: string): URL {
  return new URL(isBuilt ? `dist/${name}.js` : `src/${name}.ts`, packageRoot)
}
