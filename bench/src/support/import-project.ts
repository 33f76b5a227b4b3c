import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeRealisticTraces } from './realistic-traces.ts'
import { round } from './results.ts'
import { productionServer } from './server.ts'

/** The number of traces of an imported project. */
export const lines = Number(process.env.CAIRN_BENCH_LINES ?? 1_000_000)
const command = productionServer.slice(0, 1)

/** A project without traces, and a file of traces for it. */
export interface PreparedImport {
  dataDir: string
  file: string
  fileBytes: number
  projectId: string
  key: string
}

function environment(dataDir: string): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  return { PATH, HOME, CAIRN_DATA_DIR: dataDir }
}

/** Creates the data folder and the file in a folder. */
export async function prepareImport(folder: string): Promise<PreparedImport> {
  const file = join(folder, 'month.jsonl')
  const dataDir = join(folder, 'data')
  const fileBytes = await writeRealisticTraces(file, lines)
  const made = execFileSync(process.execPath, [...command, 'keys', 'create', 'bench'], {
    env: environment(dataDir),
    encoding: 'utf8',
  })
  const [, projectId = '', key = ''] = /^project_id (\S+)\napi_key +(\S+)/.exec(made) ?? []
  return { dataDir, file, fileBytes, projectId, key }
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

/** Imports the file in a process of its own; `peak` is the memory of this process in MB. */
export async function runImport({ dataDir, projectId, file }: PreparedImport) {
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
