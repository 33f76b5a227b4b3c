import { readdirSync, readFileSync } from 'node:fs'

/** Reads processes on Linux; on other systems, it finds none. */

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Ids of the child processes of a process. */
export function childrenOf(pid: number): number[] {
  let threads: string[] = []
  try {
    threads = readdirSync(`/proc/${pid}/task`)
  } catch {
    // The process has ended.
  }
  const lists = threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`))
  return lists.flatMap((list) => list.split(' ').filter((id) => id.trim() !== '')).map(Number)
}

/** Memory of a process in bytes; 0 if it has ended. */
function memoryOf(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
}

export function isRunning(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(read(`/proc/${pid}/status`))
}

export interface MemoryPeaks {
  /** Peak of the process. */
  own: number
  /** Peaks of the largest child process, and of all child processes together. */
  child: number
  children: number
}

/** Measures the memory of a process and its children until the peaks are requested. */
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
