import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Load {
  url: string
  path: string
  key: string
  /** Default: POST. */
  method?: 'GET' | 'POST'
  /** Request bodies, used in turn. */
  bodies: (string | Uint8Array)[]
  /** Default: JSON. */
  contentType?: string
  /** Bytes of the bodies that are replaced in each request by others of the same length, such as an id. */
  fresh?: Uint8Array
  connections: number
  seconds: number
  /** Requests per second; if left out, each connection sends as soon as it was answered. */
  rate?: number
}

export interface LoadResult {
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

const generator = fileURLToPath(new URL('./load-process.ts', import.meta.url))

/** Runs a load generator in its own process. Any status except 200 and 201 fails the benchmark. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const child = fork(generator, { serialization: 'advanced' })
  child.send(load)
  const [result] = (await once(child, 'message')) as [LoadResult | { error: string }]
  child.disconnect()
  await once(child, 'exit')
  if ('error' in result) throw new Error(`${load.path}: ${result.error}`)
  return result
}
