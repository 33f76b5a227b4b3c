import { statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { lines, type PreparedImport, prepareImport, runImport } from './support/import-project.ts'
import { checkAgainstFile } from './support/recompute.ts'
import { type Row, round } from './support/results.ts'
import { buildServer, productionServer, startServer, temporaryFolder } from './support/server.ts'

/** Compares every summary with the file; throws if a number is wrong. */
async function check({ dataDir, projectId, key, file }: PreparedImport): Promise<number> {
  const server = await startServer({ command: productionServer, dataDir })
  try {
    const { numbers, differences } = await checkAgainstFile(file, async (path) => {
      const headers = { authorization: `Bearer ${key}` }
      const response = await fetch(`${server.url}/v1/${projectId}${path}`, { headers })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return response.json()
    })
    if (differences.length > 0) {
      const shown = differences.slice(0, 20).join('\n')
      throw new Error(`${differences.length} of ${numbers} numbers are wrong:\n${shown}`)
    }
    return numbers
  } finally {
    await server.stop()
  }
}

export async function benchImport(): Promise<Row[]> {
  buildServer()
  const folder = temporaryFolder()
  const prepared = await prepareImport(folder.path)
  const { fileBytes } = prepared
  const load = loadavg()[0] ?? 0
  const { seconds, peak } = await runImport(prepared)
  const databaseBytes = statSync(join(prepared.dataDir, 'cairn.db')).size
  const numbers = await check(prepared)
  folder.remove()
  return [
    { what: 'lines of a month', value: lines, unit: 'lines' },
    { what: 'import', value: round(seconds, 1), unit: 's' },
    { what: 'import', value: round(lines / seconds), unit: 'lines/s', bar: { min: 20_000 } },
    { what: 'file', value: round(fileBytes / 1e6), unit: 'MB' },
    { what: 'database', value: round(databaseBytes / 1e6), unit: 'MB' },
    { what: 'database ÷ file', value: round(databaseBytes / fileBytes, 2), unit: '' },
    { what: 'peak resident memory', value: peak, unit: 'MB' },
    { what: 'numbers of the summaries checked against the file', value: numbers, unit: '' },
    { what: 'load of the machine before the import', value: round(load, 1), unit: '' },
  ]
}
