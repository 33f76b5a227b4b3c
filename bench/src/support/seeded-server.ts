import type { Source } from './requests.ts'
import { type Seeded, seeded } from './seed.ts'
import { buildServer, productionServer, startServer } from './server.ts'

/** The production server with a seeded database. */
export interface SeededSource extends Source {
  data: Seeded
}

/** Starts a server with a seeded database, and stops it after the work. */
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

/** Query parameters of a period. */
export function period(fromMs: number, toMs: number): string {
  return `start_date=${new Date(fromMs).toISOString()}&end_date=${new Date(toMs).toISOString()}`
}

/** The newest period with about this many traces, moved back by a share of the whole period. */
export function periodOf(data: Seeded, traces: number, back = 0): string {
  const whole = data.toMs - data.fromMs
  const length = Math.min(1, traces / data.traces) * whole
  const toMs = Math.floor(data.toMs - back * Math.max(0, whole - length))
  return period(Math.ceil(toMs - length), toMs)
}

/** A deterministic sequence of numbers in [0, 1): multiples of the golden ratio. */
export function spread(index: number): number {
  return (index * 0.6180339887498949) % 1
}
