import type { TraceSize } from './store.ts'

type Read = (projectId: string, traceIds: readonly string[]) => Promise<Map<string, TraceSize>>

/** The traces that the next read of a project asks for. */
interface Batch {
  traceIds: Set<string>
  sizes: Promise<Map<string, TraceSize>>
}

/** Reads the sizes of traces. Requests of a project that arrive during a read share the next one. */
export class TraceSizes {
  readonly #read: Read
  /** Batches that wait for the read in progress. */
  readonly #waiting = new Map<string, Batch>()
  readonly #reading = new Map<string, Promise<unknown>>()

  constructor(read: Read) {
    this.#read = read
  }

  of(projectId: string, traceIds: readonly string[]): Promise<Map<string, TraceSize>> {
    const waiting = this.#waiting.get(projectId)
    if (waiting) {
      for (const traceId of traceIds) waiting.traceIds.add(traceId)
      return waiting.sizes
    }
    const batch = { traceIds: new Set(traceIds) }
    const before = this.#reading.get(projectId) ?? Promise.resolve()
    const sizes = before.then(
      () => this.#begin(projectId, batch),
      () => this.#begin(projectId, batch),
    )
    this.#waiting.set(projectId, { ...batch, sizes })
    return sizes
  }

  async #begin(projectId: string, { traceIds }: Pick<Batch, 'traceIds'>): Promise<Map<string, TraceSize>> {
    this.#waiting.delete(projectId)
    const reading = this.#read(projectId, [...traceIds])
    this.#reading.set(projectId, reading)
    try {
      return await reading
    } finally {
      if (this.#reading.get(projectId) === reading) this.#reading.delete(projectId)
    }
  }
}
