import { Child, startMs } from './child.ts'
import { ChildError } from './child-error.ts'
import type { Call, ChildFunction } from './messages.ts'

export interface ChildPoolOptions {
  /** Module whose functions the children carry out; see `workerModule`. */
  module: URL
  /** Tasks that are carried out at the same time, each by a child of its own. */
  width: number
  /** Milliseconds that a task may take. Neither waiting nor the start of a process counts. */
  timeoutMs: number
  /** Bytes of memory that a child may have. */
  maxMemoryBytes: number
  /** Bytes that a reply may have. */
  maxReplyBytes: number
  /** Milliseconds for which an idle child is kept for the next task; default 5,000. */
  idleMs?: number
  /** Whether the server's own work comes first where there are not enough cores; default yes. */
  yields?: boolean
  /** Whether libraries of the module make code out of strings; default no. */
  compilesStrings?: boolean
}

export interface RunOptions {
  /** Called when a child begins with the task. */
  onStart?: () => void
  /** Called now and then with what the function reports. */
  onProgress?: (progress: unknown) => void
  /** Aborting ends the task, and the child with it; `run` throws the signal's reason. */
  signal?: AbortSignal
}

/** Carries out tasks on a stranger's input, in processes that can do no harm. */
export interface ChildPool<F> {
  /**
   * The reply of a function of the module. Task and reply are copied to and from another process: plain values and typed
   * arrays. A failed task ends its child, unless its function threw.
   *
   * @throws ChildError
   */
  run<N extends keyof F & string>(name: N, task: TaskOf<F[N]>, options?: RunOptions): Promise<ReplyOf<F[N]>>
  /** Ends all children; running tasks fail. The pool must not be used afterwards. */
  close(): Promise<void>
}

type TaskOf<T> = T extends (task: infer P, ...rest: never[]) => unknown ? P : never
type ReplyOf<T> = T extends (...all: never[]) => infer R ? Awaited<R> : never

/** How often memory is looked at while a child works; the system itself stops a child that is much faster. */
const watchMs = 30
/** A child is replaced when it has had so many tasks, has worked for so long, or has not become small again. */
const mostTasks = 200
const wornMs = 30_000
const smallShare = 1 / 2
/** Processor seconds in a second of work: collecting garbage takes threads of its own. */
const cpuFactor = 3
const memoryMessage = 'it took more memory than the limit'

interface Member {
  child: Child
  tasks: number
  busyMs: number
}

/** Children start with the first task, are kept for a while when idle, and are replaced now and then. */
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
      // The same child may be idle again, for less long than this.
      if (idle.includes(member) && member.tasks === tasks) child.end()
    }, idleMs).unref()
  }

  /** A turn, in the order of asking. */
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
