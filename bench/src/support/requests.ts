import { Agent, get, type IncomingMessage } from 'node:http'
import { quantile, round } from './results.ts'
import type { BenchServer, Tenant } from './server.ts'

/** A server and the project that the requests are about. */
export interface Source {
  server: BenchServer
  tenant: Tenant
}

export interface Timing {
  p50Ms: number
  p95Ms: number
}

const agent = new Agent({ keepAlive: true })

/** Sends a request to a path below the project; any status except 200 fails the benchmark. */
export function open({ server, tenant }: Source, path: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${tenant.projectKey}` }
  return new Promise((resolve, reject) => {
    const request = get(`${server.url}/v1/${tenant.projectId}/${path}`, { agent, headers }, (response) => {
      if (response.statusCode === 200) return resolve(response)
      response.setEncoding('utf8').on('data', (text) => reject(new Error(`${path}: ${text}`)))
    })
    request.on('error', reject)
  })
}

/** Reads a whole response; returns its header and its length. */
export async function read(
  source: Source,
  path: string,
): Promise<{ headers: IncomingMessage['headers']; bytes: number }> {
  const response = await open(source, path)
  let bytes = 0
  for await (const part of response) bytes += (part as Buffer).length
  return { headers: response.headers, bytes }
}

function summarize(times: number[]): Timing {
  const sorted = Float64Array.from(times).sort()
  return { p50Ms: round(quantile(sorted, 0.5), 2), p95Ms: round(quantile(sorted, 0.95), 2) }
}

/**
 * Sends one request after the other and measures the time to the last byte. Several sources alternate, so that other
 * load on the machine affects all of them.
 */
export async function timeRequests(
  sources: readonly Source[],
  path: (source: Source, index: number) => string,
  { count = 120, warmUp = 10 } = {},
): Promise<Timing[]> {
  const times: number[][] = sources.map(() => [])
  for (let index = 0; index < warmUp + count; index++) {
    for (const [at, source] of sources.entries()) {
      const from = performance.now()
      await read(source, path(source, index))
      if (index >= warmUp) times[at]?.push(performance.now() - from)
    }
  }
  return times.map(summarize)
}
