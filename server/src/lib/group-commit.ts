import { isUnavailable } from './database-error.ts'
import { SharedBudget } from './shared-budget.ts'

export interface GroupCommitOptions<T, G> {
  /** Creates an empty transaction. */
  newGroup: () => G
  /** Adds an item; returns the cost of the whole group. */
  put: (group: G, item: T) => number
  /** Writes all items in one transaction, or none. */
  flush: (group: G) => Promise<void>
  /** An item that reaches this cost is the last one of its transaction. */
  maxCost: number
  /** Limit of the queue; one project may fill half of it. Above the limit `add` rejects with `refusal()`. */
  maxWaiting: Weight
  refusal: () => Error
  /** Whether each item alone would fail the same way; by default, if the database is unreachable. */
  isShared?: (error: unknown) => boolean
}

/** The size of a write: rows, and bytes of memory that it holds. */
export interface Weight {
  rows: number
  bytes: number
}

/** The items of one caller, written in order, possibly in several transactions. */
interface Write<T> {
  project: Project<T>
  items: readonly T[]
  /** Items that a transaction has taken. */
  taken: number
  /** Items that are durable. */
  written: number
  isOver: boolean
  settle: (error?: unknown) => void
}

/** The waiting writes of a project. */
interface Project<T> {
  projectId: string
  writes: Write<T>[]
  /** Total cost of its items. It starts at the lowest value among the busy projects. */
  served: number
}

interface Taken<T> {
  write: Write<T>
  item: T
}

/**
 * Group commit: items that arrive while a transaction is being written go into the next transaction together. The next
 * flush begins when the current one ends, so the latency is one flush, and throughput grows with the load. Projects share
 * each transaction by the cost of their items: a project with thousands of waiting items delays another by one transaction.
 */
export class GroupCommit<T, G> {
  readonly #options: GroupCommitOptions<T, G>
  readonly #rows: SharedBudget
  readonly #bytes: SharedBudget
  /** The projects with waiting items. */
  readonly #projects = new Map<string, Project<T>>()
  #running: Promise<void> | undefined

  constructor(options: GroupCommitOptions<T, G>) {
    this.#options = options
    this.#rows = new SharedBudget(options.maxWaiting.rows)
    this.#bytes = new SharedBudget(options.maxWaiting.bytes)
  }

  /**
   * Resolves when all items are durable. Items are written in order. If one fails, earlier items stay written, and
   * later items are not written.
   */
  async add(projectId: string, items: readonly T[], { rows, bytes }: Weight): Promise<void> {
    const giveBackRows = this.#rows.take([projectId], rows)
    const giveBackBytes = giveBackRows && this.#bytes.take([projectId], bytes)
    try {
      if (!giveBackBytes) throw this.#options.refusal()
      await this.#enqueue(projectId, items)
    } finally {
      giveBackRows?.()
      giveBackBytes?.()
    }
  }

  /** Resolves when the queue is empty. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running
  }

  #enqueue(projectId: string, items: readonly T[]): Promise<void> {
    const project = this.#project(projectId)
    return new Promise((resolve, reject) => {
      const settle = (error?: unknown) => (error === undefined ? resolve() : reject(error))
      project.writes.push({ project, items, taken: 0, written: 0, isOver: false, settle })
      this.#running ??= this.#run()
    })
  }

  #project(projectId: string): Project<T> {
    const known = this.#projects.get(projectId)
    if (known) return known
    const project: Project<T> = { projectId, writes: [], served: this.#next()?.served ?? 0 }
    this.#projects.set(projectId, project)
    return project
  }

  async #run(): Promise<void> {
    // Requests in the same round of the event loop share the first transaction.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#projects.size > 0) {
      const { group, taken } = this.#compose()
      await this.#write(group, taken)
    }
    this.#running = undefined
  }

  /** The waiting project with the least service. */
  #next(): Project<T> | undefined {
    let next: Project<T> | undefined
    for (const project of this.#projects.values()) if (!next || project.served < next.served) next = project
    return next
  }

  #compose(): { group: G; taken: Taken<T>[] } {
    const { newGroup, put, maxCost } = this.#options
    const group = newGroup()
    const taken: Taken<T>[] = []
    for (let cost = 0; cost < maxCost; ) {
      const project = this.#next()
      const write = project?.writes[0]
      if (!project || !write) break
      const item = write.items[write.taken] as T
      const before = cost
      cost = put(group, item)
      project.served += cost - before
      taken.push({ write, item })
      write.taken += 1
      if (write.taken === write.items.length) this.#leave(write)
    }
    return { group, taken }
  }

  /** Removes a write from the queue. */
  #leave(write: Write<T>): void {
    const { project } = write
    // Almost always the first write.
    const at = project.writes.indexOf(write)
    if (at === -1) return
    project.writes.splice(at, 1)
    if (project.writes.length === 0) this.#projects.delete(project.projectId)
  }

  async #write(group: G, taken: Taken<T>[]): Promise<void> {
    try {
      await this.#options.flush(group)
      for (const { write } of taken) this.#wrote(write)
    } catch (error) {
      if (taken.length === 1 || (this.#options.isShared ?? isUnavailable)(error)) {
        for (const { write } of taken) this.#fail(write, error)
        return
      }
      // One item may have made the others fail, for example because its project was deleted. Each is tried by itself.
      for (const one of taken) {
        if (one.write.isOver) continue
        const alone = this.#options.newGroup()
        this.#options.put(alone, one.item)
        await this.#write(alone, [one])
      }
    }
  }

  #wrote(write: Write<T>): void {
    write.written += 1
    if (write.written < write.items.length || write.isOver) return
    write.isOver = true
    write.settle()
  }

  #fail(write: Write<T>, error: unknown): void {
    if (write.isOver) return
    write.isOver = true
    this.#leave(write)
    write.settle(error)
  }
}
