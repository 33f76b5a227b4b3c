import { readdirSync, readFileSync } from 'node:fs'

/** Processes as Linux shows them; elsewhere there seem to be none. */

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Ids of the processes that a process has started. */
export function childrenOf(pid: number): number[] {
  let threads: string[] = []
  try {
    threads = readdirSync(`/proc/${pid}/task`)
  } catch {
    // It has ended.
  }
  const lists = threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`))
  return lists.flatMap((list) => list.split(' ').filter((id) => id.trim() !== '')).map(Number)
}

/** Bytes of memory of a process, 0 when it has ended. */
function memoryOf(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
}

export function isRunning(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(read(`/proc/${pid}/status`))
}

export interface MemoryPeaks {
  /** Of the process itself. */
  own: number
  /** Of the largest of those it has started, and of all together. */
  child: number
  children: number
}

/** Looks at the memory of a process and its children until it is asked for the peaks. */
export function watchMemory(pid: number): () => MemoryPeaks {
  const peaks = { own: 0, child: 0, children: 0 }
  const timer = setInterval(() => {
    const children = childrenOf(pid).map(memoryOf)
    peaks.own = Math.max(peaks.own, memoryOf(pid))
    peaks.child = Math.max(peaks.child, ...children)
    peaks.children = Math.max(
      peaks.children,
      children.reduce((sum, bytes) => sum + bytes, 0),
    )
  }, 20)
  return () => {
    clearInterval(timer)
    return peaks
  }
}
