import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { writeRealisticTraces } from './support/realistic-traces.ts'
import { checkAgainstFile } from './support/recompute.ts'
import { type Row, round } from './support/results.ts'
import { buildServer, productionServer, startServer, temporaryFolder } from './support/server.ts'

const lines = Number(process.env.CAIRN_BENCH_LINES ?? 1_000_000)
const command = productionServer.slice(0, 1)

function environment(dataDir: string): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  return { PATH, HOME, CAIRN_DATA_DIR: dataDir }
}

/** Peak memory of a process in MB; undefined if the system does not report it. */
function peakOf(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : round(Number(kilobytes) / 1024)
  } catch {
    return undefined
  }
}

async function runImport(dataDir: string, projectId: string, file: string) {
  const from = performance.now()
  const child = spawn(process.execPath, [...command, 'import', projectId, file], {
    env: environment(dataDir),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid ?? 0) ?? 0)
  }, 100)
  const [code] = await once(child, 'exit')
  clearInterval(watch)
  if (code !== 0) throw new Error(`the import ended with ${code}`)
  return { seconds: (performance.now() - from) / 1000, peak }
}

/** Compares every summary with the file; throws if a number is wrong. */
async function check(dataDir: string, projectId: string, key: string, file: string): Promise<number> {
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
  const file = join(folder.path, 'month.jsonl')
  const dataDir = join(folder.path, 'data')
  const fileBytes = await writeRealisticTraces(file, lines)
  const made = execFileSync(process.execPath, [...command, 'keys', 'create', 'bench'], {
    env: environment(dataDir),
    encoding: 'utf8',
  })
  const [, projectId = '', key = ''] = /^project_id (\S+)\napi_key +(\S+)/.exec(made) ?? []
  const load = loadavg()[0] ?? 0
  const { seconds, peak } = await runImport(dataDir, projectId, file)
  const databaseBytes = statSync(join(dataDir, 'cairn.db')).size
  const numbers = await check(dataDir, projectId, key, file)
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
