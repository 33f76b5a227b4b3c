/**
 * The owner of a piece of work: a project and, if the work is for an end user, this user. The users of a project share its
 * turns, so that a thousand users get no more than another project.
 */
export type Tenant = readonly [project: string, user?: string]

export interface FairQueueOptions {
  /** Maximum number of concurrent tasks. */
  width: number
  /** The same for one project; default `width`. A smaller number keeps places free for others. */
  widthPerProject?: number
  /** The same for one end user, and for the project's own tasks; default `widthPerProject`. */
  widthPerUser?: number
  /** Waiting tasks per tenant; further tasks are rejected. A project with all its users may have four times as many. */
  maxWaiting: number
  /** Creates the error for a rejected task. */
  refusal: () => Error
}

/** The current state of a queue, for the server's page. */
export interface FairQueueStatus {
  running: number
  waiting: number
  /** Projects with running or waiting tasks. */
  projects: number
  /** Tasks rejected since the start. */
  refused: number
}

const usersWaitingFactor = 4

/** A node of the tree of tenants: all tenants, a project, or one user. A project's own tasks belong to an unnamed user. */
class Share {
  readonly name: string
  readonly parent: Share | undefined
  readonly parts = new Map<string, Share>()
  /** Functions that start the waiting tasks; only users have any. */
  readonly queue: (() => void)[] = []
  /** Running tasks of this node and its children. */
  running = 0
  waiting = 0
  /** Milliseconds of service. A new node starts at the level of the busy nodes. */
  served = 0

  constructor(name: string, parent?: Share) {
    this.name = name
    this.parent = parent
  }

  get isIdle(): boolean {
    return this.running + this.waiting === 0
  }

  part(name: string): Share {
    const known = this.parts.get(name)
    if (known) return known
    const part = new Share(name, this)
    // A new node starts at the level of the busy nodes, so idle time earns no credit.
    part.served = this.leastServed()
    this.parts.set(name, part)
    return part
  }

  /** The least service among the busy children; 0 if none is busy. */
  leastServed(): number {
    let least = Number.POSITIVE_INFINITY
    for (const part of this.parts.values()) if (!part.isIdle) least = Math.min(least, part.served)
    return least === Number.POSITIVE_INFINITY ? 0 : least
  }
}

/**
 * Shares places among tenants. A free place goes to the waiting tenant with the least service so far. This is start-time
 * fair queueing (Goyal, Vin and Cheng 1996) with the measured time of the tasks. A tenant with thousands of tasks, or
 * with long tasks, therefore delays a task of another tenant only by the tasks that are already running.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #widths: readonly [all: number, project: number, user: number]
  readonly #all = new Share('')
  #refused = 0

  constructor(options: FairQueueOptions) {
    const { width, widthPerProject = width, widthPerUser = widthPerProject } = options
    this.#options = options
    this.#widths = [width, widthPerProject, widthPerUser]
  }

  /**
   * Runs the task at the tenant's turn.
   *
   * @throws the `refusal()`, or the signal's reason if the signal aborts while the task waits
   */
  async run<T>(tenant: Tenant, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return runIn(await this.enter(tenant, signal), task)
  }

  /**
   * Runs another step of admitted work. The step waits for the tenant's turn like any other task, but it is never
   * rejected.
   */
  async resume<T>(tenant: Tenant, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return runIn(await this.enterAgain(tenant, signal), task)
  }

  /** Resolves when the tenant has a place, with a function that returns the place; a second call does nothing. */
  enter(tenant: Tenant, signal?: AbortSignal): Promise<() => void> {
    return this.#enter(tenant, signal, false)
  }

  /** `enter` for a further step of work that was admitted. It is never rejected. */
  enterAgain(tenant: Tenant, signal?: AbortSignal): Promise<() => void> {
    return this.#enter(tenant, signal, true)
  }

  async #enter(
    [projectId, userId = '']: Tenant,
    signal: AbortSignal | undefined,
    isFurtherStep: boolean,
  ): Promise<() => void> {
    signal?.throwIfAborted()
    const project = this.#all.part(projectId)
    const user = project.part(userId)
    const chain = [this.#all, project, user] as const
    if (!isFurtherStep && !this.#hasFreePlace(chain) && this.#isFull(project, user)) {
      this.#refused += 1
      this.#forgetIdle(chain)
      throw this.#options.refusal()
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const start = () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }
    const onAbort = () => {
      user.queue.splice(user.queue.indexOf(start), 1)
      for (const share of chain) share.waiting -= 1
      this.#forgetIdle(chain)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    user.queue.push(start)
    for (const share of chain) share.waiting += 1
    this.#startNext()
    await promise
    return this.#occupied(chain)
  }

  /** Takes a place immediately and returns a function that returns it; undefined if no place is free for the tenant. */
  enterNow([projectId, userId = '']: Tenant): (() => void) | undefined {
    const project = this.#all.part(projectId)
    const chain = [this.#all, project, project.part(userId)] as const
    if (!this.#hasFreePlace(chain)) {
      this.#forgetIdle(chain)
      return undefined
    }
    for (const share of chain) share.running += 1
    return this.#occupied(chain)
  }

  /** Whether any other tenant is waiting. */
  isWantedByOthers([projectId, userId = '']: Tenant): boolean {
    const own = this.#all.parts.get(projectId)?.parts.get(userId)?.waiting ?? 0
    return this.#all.waiting > own
  }

  status(): FairQueueStatus {
    const { running, waiting, parts } = this.#all
    const projects = [...parts.values()].filter(({ isIdle }) => !isIdle).length
    return { running, waiting, projects, refused: this.#refused }
  }

  #hasFreePlace(chain: readonly Share[]): boolean {
    return chain.every(({ running, waiting }, level) => running + waiting < (this.#widths[level] ?? 0))
  }

  #isFull(project: Share, user: Share): boolean {
    const { maxWaiting } = this.#options
    return user.waiting >= maxWaiting || project.waiting >= usersWaitingFactor * maxWaiting
  }

  #startNext(): void {
    for (let start = this.#take(this.#all, 0); start; start = this.#take(this.#all, 0)) start()
  }

  /** Removes and returns the next task: from the child with the least service among those that may start a task. */
  #take(share: Share, level: number): (() => void) | undefined {
    if (share.waiting === 0 || share.running >= (this.#widths[level] ?? 0)) return undefined
    const parts = [...share.parts.values()].filter(({ waiting }) => waiting > 0)
    const start =
      share.queue.shift() ??
      first(
        parts.sort((a, b) => a.served - b.served),
        (part) => this.#take(part, level + 1),
      )
    if (!start) return undefined
    share.waiting -= 1
    share.running += 1
    return start
  }

  #occupied(chain: readonly [Share, Share, Share]): () => void {
    const from = performance.now()
    let isOccupied = true
    return () => {
      if (!isOccupied) return
      isOccupied = false
      // A task that took no time also had its turn.
      const service = Math.max(1, performance.now() - from)
      for (const share of chain) {
        share.running -= 1
        share.served += service
      }
      this.#forgetIdle(chain)
      this.#startNext()
    }
  }

  /** Keeps an idle node while it is ahead of others; otherwise leaving and coming back would erase its debt. */
  #forgetIdle([all, project, user]: readonly [Share, Share, Share]): void {
    if (user.isIdle && (project.isIdle || user.served <= project.leastServed()))
      project.parts.delete(user.name)
    if (project.isIdle && (all.isIdle || project.served <= all.leastServed())) all.parts.delete(project.name)
    if (all.isIdle) all.parts.clear()
  }
}

/** A queue without a bound, for work of requests that were already limited when they were accepted. */
export function endlessQueue(widths: Pick<FairQueueOptions, 'width' | 'widthPerProject'>): FairQueue {
  const refusal = () => new Error('a queue without a bound is never full')
  return new FairQueue({ ...widths, maxWaiting: Number.POSITIVE_INFINITY, refusal })
}

async function runIn<T>(leave: () => void, task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } finally {
    leave()
  }
}

/** The first result that is not undefined. */
function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
