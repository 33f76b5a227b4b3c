/*
 * Child processes run code that could hang, crash or use much memory because of its input: extraction, regular expressions,
 * JSON schemas, vectors of chats (LSA), and segments that are made again.
 *
 * A child imports one module and calls its functions, one at a time. It may read only the server's code and its libraries,
 * including linked ones (`lib/package.ts`). Tasks and replies are frames over one pipe; a reply that announces too many bytes
 * is rejected before it is read. The parent ends a child at its time limit, and at its memory limit, which it checks every
 * 30 ms; only the running task fails. The guide docs/guides/operate.md lists the limits of the operating system.
 */

import { Child, startMs } from './child.ts'
import { ChildError } from './child-error.ts'
import type { Call, ChildFunction } from './messages.ts'

export interface ChildPoolOptions {
  /** Module with the functions that the children run; see `workerModule`. */
  module: URL
  /** Number of tasks that run at the same time, each in its own child. */
  width: number
  /** Time limit of a task. Waiting and starting a process do not count. */
  timeoutMs: number
  /** Memory limit of a child. */
  maxMemoryBytes: number
  /** Maximum bytes of a reply. */
  maxReplyBytes: number
  /** How long an idle child waits for the next task; default 5,000. */
  idleMs?: number
  /** Whether the server's own threads have priority if cores are scarce; default yes. */
  yields?: boolean
  /** Whether the module's libraries compile code from strings; default no. */
  compilesStrings?: boolean
}

export interface RunOptions {
  /** Called when a child starts the task. */
  onStart?: () => void
  /** Called from time to time with the progress that the function reports. */
  onProgress?: (progress: unknown) => void
  /** Aborting ends the task and its child; `run` throws the signal's reason. */
  signal?: AbortSignal
}

/** Runs tasks on untrusted input in processes that have no rights. */
export interface ChildPool<F> {
  /**
   * Calls a function of the module and returns its result. Task and result are copied between processes: plain values and
   * typed arrays. A failed task ends its child, unless its function threw.
   *
   * @throws ChildError
   */
  run<N extends keyof F & string>(name: N, task: TaskOf<F[N]>, options?: RunOptions): Promise<ReplyOf<F[N]>>
  /** Ends all children; running tasks fail. Do not use the pool afterwards. */
  close(): Promise<void>
}

type TaskOf<T> = T extends (task: infer P, ...rest: never[]) => unknown ? P : never
type ReplyOf<T> = T extends (...all: never[]) => infer R ? Awaited<R> : never

/** Interval of memory checks while a child works. The system itself stops a child that grows much faster. */
const watchMs = 30
/** A child is replaced after this many tasks, after this much work, or if its memory stays large. */
const mostTasks = 200
const wornMs = 30_000
const smallShare = 1 / 2
/** Processor seconds per second of work; above 1 because garbage collection uses its own threads. */
const cpuFactor = 3
const memoryMessage = 'it took more memory than the limit'

interface Member {
  child: Child
  tasks: number
  busyMs: number
}

/** Children start on demand, stay idle for a while, and are replaced from time to time. */
export function createChildPool<F extends { [N in keyof F]: ChildFunction }>(
  options: ChildPoolOptions,
): ChildPool<F> {
  const { width, timeoutMs, maxMemoryBytes, idleMs = 5_000 } = options
  const maxCpuSeconds = Math.ceil((cpuFactor * (startMs + wornMs + timeoutMs)) / 1000)
  const members = new Set<Member>()
  const idle: Member[] = []
  const waiting: (() => void)[] = []
  let running = 0
  let isClosed = false

  function startMember(): Member {
    const { module, maxReplyBytes, compilesStrings = false, yields = true } = options
    const limits = { maxMemoryBytes, maxCpuSeconds, maxReplyBytes, timeoutMs }
    const member = { child: new Child({ module, compilesStrings, yields, ...limits }), tasks: 0, busyMs: 0 }
    members.add(member)
    member.child.ended.then(() => members.delete(member))
    return member
  }

  function takeMember(): Member {
    for (let member = idle.pop(); member; member = idle.pop()) if (!member.child.hasEnded) return member
    return startMember()
  }

  function giveBack(member: Member): void {
    const { child, tasks, busyMs } = member
    if (child.hasEnded) return
    const isWorn =
      !child.restorePriority() ||
      tasks >= mostTasks ||
      busyMs >= wornMs ||
      child.residentBytes > smallShare * maxMemoryBytes
    if (isWorn || isClosed) {
      child.end()
      return
    }
    idle.push(member)
    setTimeout(() => {
      // The child may have worked in between and be idle again for a shorter time.
      if (idle.includes(member) && member.tasks === tasks) child.end()
    }, idleMs).unref()
  }

  /** Waits for a place, first come, first served. */
  async function enter(): Promise<void> {
    if (running < width) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  async function call(
    member: Member,
    call: Call,
    { onStart, onProgress = () => {}, signal }: RunOptions,
  ): Promise<unknown> {
    const { child } = member
    const onAbort = () => child.end()
    signal?.addEventListener('abort', onAbort)
    let watch: NodeJS.Timeout | undefined
    let from = Number.POSITIVE_INFINITY
    try {
      await child.ready()
      from = performance.now()
      onStart?.()
      watch = setInterval(() => {
        if (child.residentBytes > maxMemoryBytes) child.fail('memory', memoryMessage)
      }, watchMs)
      return await child.call(call, onProgress)
    } finally {
      clearInterval(watch)
      signal?.removeEventListener('abort', onAbort)
      member.tasks += 1
      member.busyMs += Math.max(0, performance.now() - from)
    }
  }

  return {
    async run(name, task, runOptions = {}) {
      const { signal } = runOptions
      await enter()
      try {
        signal?.throwIfAborted()
        if (isClosed) throw new ChildError('closed', 'the pool is closed')
        const member = takeMember()
        try {
          return (await call(member, { name, task }, runOptions)) as ReplyOf<F[typeof name]>
        } catch (error) {
          signal?.throwIfAborted()
          throw error
        } finally {
          giveBack(member)
        }
      } finally {
        leave()
      }
    },
    async close() {
      isClosed = true
      const all = [...members]
      for (const { child } of all) child.end()
      await Promise.all(all.map(({ child }) => child.ended))
    },
  }
}
