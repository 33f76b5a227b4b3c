import { connect, type Socket } from 'node:net'
import type { Load, LoadResult } from './load.ts'
import { quantile, round } from './results.ts'

/**
 * The load generator. It implements a minimum of HTTP/1.1 over plain sockets, so that it needs only a small part of the
 * server's processor time. A full HTTP client would need about as much as the server and distort the measurement.
 */
class Connection {
  readonly #socket: Socket
  #received = ''
  #answered: (() => void) | undefined

  constructor(url: URL, fail: (error: Error) => void) {
    this.#socket = connect(Number(url.port), url.hostname)
    this.#socket.setNoDelay(true).setEncoding('latin1').on('error', fail)
    this.#socket.on('data', (part: string) => {
      this.#received += part
      const error = this.#readAnswer()
      if (error) fail(error)
    })
  }

  /** Resolves when the complete response has arrived. */
  send(request: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#answered = resolve
      this.#socket.write(request)
    })
  }

  end(): void {
    this.#socket.destroy()
  }

  #readAnswer(): Error | undefined {
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd === -1) return undefined
    const length = /content-length: (\d+)/i.exec(this.#received)?.[1]
    if (this.#received.length < headEnd + 4 + Number(length)) return undefined
    if (!/^HTTP\/1\.1 20[01]/.test(this.#received)) return new Error(this.#received)
    this.#received = ''
    this.#answered?.()
    return undefined
  }
}

function toRequest(
  { url, path, key, method = 'POST', contentType = 'application/json' }: Load,
  body: string | Uint8Array,
): Buffer {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${key}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)])
}

/** The places of some bytes in a request. */
function placesOf(request: Buffer, bytes: Uint8Array): number[] {
  const places: number[] = []
  for (let at = request.indexOf(bytes); at !== -1; at = request.indexOf(bytes, at + 1)) places.push(at)
  return places
}

/** Returns the requests in turn, each with other bytes in the places of `fresh`. */
function supply(load: Load): () => Buffer {
  const { fresh } = load
  const requests = load.bodies.map((body) => {
    const request = toRequest(load, body)
    return { request, places: fresh ? placesOf(request, fresh) : [] }
  })
  const origin = Date.now() * 1000
  let sent = 0
  return () => {
    const { request, places } = requests[sent++ % requests.length] as (typeof requests)[number]
    if (!fresh) return request
    const copy = Buffer.from(request)
    const id = (origin + sent).toString(16).padStart(fresh.length, '0')
    for (const place of places) copy.write(id, place, 'latin1')
    return copy
  }
}

function summarize(latencies: number[], seconds: number): LoadResult {
  const sorted = Float64Array.from(latencies).sort()
  return {
    requests: sorted.length,
    perSecond: round(sorted.length / seconds),
    p50Ms: round(quantile(sorted, 0.5), 2),
    p99Ms: round(quantile(sorted, 0.99), 2),
    maxMs: round(sorted.at(-1) ?? 0, 2),
  }
}

/** Each connection sends its next request as soon as the previous one was answered. */
async function asFastAsAnswered(
  connections: Connection[],
  next: () => Buffer,
  untilMs: number,
): Promise<number[]> {
  const latencies: number[] = []
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < untilMs) {
        const from = performance.now()
        await connection.send(next())
        latencies.push(performance.now() - from)
      }
    }),
  )
  return latencies
}

/** Sends requests at a constant rate. Waiting for a free connection counts as latency, so that stalls are visible. */
async function atRate(connections: Connection[], next: () => Buffer, load: Load): Promise<number[]> {
  const latencies: number[] = []
  const start = performance.now()
  const total = (load.rate ?? 1) * load.seconds
  let taken = 0
  await Promise.all(
    connections.map(async (connection) => {
      while (taken < total) {
        const due = start + (taken++ * 1000) / (load.rate ?? 1)
        while (performance.now() < due)
          await new Promise((resolve) => setTimeout(resolve, Math.max(1, due - performance.now())))
        await connection.send(next())
        latencies.push(performance.now() - due)
      }
    }),
  )
  return latencies
}

async function run(load: Load): Promise<LoadResult> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const url = new URL(load.url)
  const connections = Array.from({ length: load.connections }, () => new Connection(url, reject))
  const next = supply(load)
  const start = performance.now()
  const work = load.rate
    ? atRate(connections, next, load)
    : asFastAsAnswered(connections, next, start + load.seconds * 1000)
  const latencies = await Promise.race([work, failed])
  const seconds = (performance.now() - start) / 1000
  for (const connection of connections) connection.end()
  return summarize(latencies, seconds)
}

process.once('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
