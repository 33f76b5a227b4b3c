/**
 * Who a piece of work is done for: a project, and within it an end user where there is one. The users of a project share
 * its turns, so that a thousand of them get no more than another project does.
 */
export type Tenant = readonly [project: string, user?: string]

export interface FairQueueOptions {
  /** Tasks that run at the same time. */
  width: number
  /** Tasks of one project that run at the same time; default `width`. With less, a place stays free for others. */
  widthPerProject?: number
  /** The same for one end user, and for the project's own tasks; default `widthPerProject`. */
  widthPerUser?: number
  /** Tasks of one tenant that may wait; one more is refused. Of a project with all its users, four times as many. */
  maxWaiting: number
  /** The error of a task that may not even wait. */
  refusal: () => Error
}

/** The state of a queue now; the server's page shows it. */
export interface FairQueueStatus {
  running: number
  waiting: number
  /** Projects with tasks that run or wait. */
  projects: number
  /** Tasks that were refused since the start. */
  refused: number
}

const usersWaitingFactor = 4

/** All tenants, a project, or one user of it. The project's own tasks are those of a user without a name. */
class Share {
  readonly name: string
  readonly parent: Share | undefined
  readonly parts = new Map<string, Share>()
  /** Starts a waiting task; only users have any. */
  readonly queue: (() => void)[] = []
  /** Tasks here and below. */
  running = 0
  waiting = 0
  /** Milliseconds of service it has had, or was raised to when it came back from being idle. */
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
    // Neither time saved up nor an old debt counts: it begins where those begin that are busy.
    part.served = this.leastServed()
    this.parts.set(name, part)
    return part
  }

  /** The least service among the parts that are busy; 0 without any. */
  leastServed(): number {
    let least = Number.POSITIVE_INFINITY
    for (const part of this.parts.values()) if (!part.isIdle) least = Math.min(least, part.served)
    return least === Number.POSITIVE_INFINITY ? 0 : least
  }
}

/**
 * Shares places among tenants. A free place goes to the waiting tenant that has had the least service so far
 * (start-time fair queueing, Goyal, Vin and Cheng 1996, with the time that tasks really took): a tenant with thousands
 * of tasks, or with long ones, delays the task of another by no more than the tasks that already run.
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
   * Runs the task when it is the tenant's turn.
   *
   * @throws the `refusal()`; the signal's reason when it aborts while the task waits
   */
  async run<T>(tenant: Tenant, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return runIn(await this.enter(tenant, signal), task)
  }

  /**
   * Runs a further step of work whose first step was let in: it waits for the tenant's turn like any other task, and is
   * never refused.
   */
  async resume<T>(tenant: Tenant, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return runIn(await this.enterAgain(tenant, signal), task)
  }

  /** Resolves when a place is the tenant's, with the function that gives it back; calling it again does nothing. */
  enter(tenant: Tenant, signal?: AbortSignal): Promise<() => void> {
    return this.#enter(tenant, signal, false)
  }

  /** `enter` for a further step of work whose first step was let in: it is never refused. */
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

  /** A place at once, with the function that gives it back; undefined when none is free for the tenant. */
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

  /** Whether anybody but this tenant waits. */
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

  /** Takes the next task out, of the part with the least service among those that may start one. */
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
      // Also a task that took no time had a turn.
      const service = Math.max(1, performance.now() - from)
      for (const share of chain) {
        share.running -= 1
        share.served += service
      }
      this.#forgetIdle(chain)
      this.#startNext()
    }
  }

  /** An idle share stays only while it has had more than others: else leaving and coming back would clear a debt. */
  #forgetIdle([all, project, user]: readonly [Share, Share, Share]): void {
    if (user.isIdle && (project.isIdle || user.served <= project.leastServed()))
      project.parts.delete(user.name)
    if (project.isIdle && (all.isIdle || project.served <= all.leastServed())) all.parts.delete(project.name)
    if (all.isIdle) all.parts.clear()
  }
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
