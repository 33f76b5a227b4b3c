import { setTimeout as pause } from 'node:timers/promises'
import { median, type Row, round } from './support/results.ts'
import { buildServer, productionServer, startServer, temporaryFolder } from './support/server.ts'

/** Milliseconds between spawning the process and its first 200 for /v1/health. */
async function startOnce(dataDir: string): Promise<number> {
  const from = performance.now()
  const server = await startServer({ command: productionServer, dataDir, supervised: true })
  while ((await fetch(`${server.url}/v1/health`).catch(() => undefined))?.status !== 200) await pause(2)
  const ms = performance.now() - from
  await server.stop()
  return ms
}

export async function benchStart(): Promise<Row[]> {
  buildServer()
  const folder = temporaryFolder()
  const first = await startOnce(folder.path)
  const warm: number[] = []
  for (let i = 0; i < 7; i++) warm.push(await startOnce(folder.path))
  folder.remove()
  return [
    { what: 'first start, empty data folder', value: round(first), unit: 'ms', bar: { max: 1000 } },
    { what: 'later starts, median of 7', value: round(median(warm)), unit: 'ms', bar: { max: 1000 } },
    { what: 'later starts, slowest of 7', value: round(Math.max(...warm)), unit: 'ms' },
  ]
}
