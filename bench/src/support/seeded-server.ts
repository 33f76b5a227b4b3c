import type { Source } from './requests.ts'
import { type Seeded, seeded } from './seed.ts'
import { buildServer, productionServer, startServer } from './server.ts'

/** The production server over a seeded database. */
export interface SeededSource extends Source {
  data: Seeded
}

/** Starts a server over a database with as many traces, and stops it after the work. */
export async function withSeeded<T>(traces: number, work: (source: SeededSource) => Promise<T>): Promise<T> {
  const data = await seeded(traces)
  buildServer()
  const server = await startServer({ command: productionServer, dataDir: data.dataDir })
  try {
    return await work({ server, tenant: data.tenant, data })
  } finally {
    await server.stop()
  }
}

/** Query parameters for a stretch of time. */
export function period(fromMs: number, toMs: number): string {
  return `start_date=${new Date(fromMs).toISOString()}&end_date=${new Date(toMs).toISOString()}`
}

/** The newest stretch of time that holds about as many traces, moved back by a share of the whole. */
export function periodOf(data: Seeded, traces: number, back = 0): string {
  const whole = data.toMs - data.fromMs
  const length = Math.min(1, traces / data.traces) * whole
  const toMs = Math.floor(data.toMs - back * Math.max(0, whole - length))
  return period(Math.ceil(toMs - length), toMs)
}

/** The same sequence of numbers in [0, 1) for each index: multiples of the golden ratio. */
export function spread(index: number): number {
  return (index * 0.6180339887498949) % 1
}
