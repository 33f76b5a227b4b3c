import { readdirSync, readFileSync } from 'node:fs'

/** Reads a file of /proc; empty if the process has ended. */
function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

function field(pid: number, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(procFile(pid, 'status'))?.[1] ?? 0)
}

/** The descendants of a process, without the process itself. */
function descendants(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    // The name in parentheses may contain anything; the parent is the second word after it.
    const parent = Number.isInteger(pid) && procFile(pid, 'stat').split(') ').at(-1)?.split(' ')[1]
    if (parent) parents.set(pid, Number(parent))
  }
  const below = (pid: number): number[] =>
    [...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)])
  return below(root)
}

export interface Footprint {
  /** Resident megabytes of the server process. */
  processMb: number
  /** Resident megabytes of the server process and all related processes. */
  allMb: number
  threads: number
  processes: number
  files: number
}

/** Memory, threads, processes and files of a server. `root` is the started process, `server` the listening one. */
export function footprint(root: number, server: number): Footprint {
  const all = [root, ...descendants(root)]
  const megabytes = (pids: readonly number[]) =>
    Math.round(pids.reduce((sum, pid) => sum + field(pid, 'VmRSS'), 0) / 1024)
  let files = 0
  try {
    files = readdirSync(`/proc/${server}/fd`).length
  } catch {
    // The process has ended.
  }
  return {
    processMb: megabytes([server]),
    allMb: megabytes(all),
    threads: field(server, 'Threads'),
    processes: all.length,
    files,
  }
}

/** Samples the memory of a server; the returned function stops the sampling and returns the peaks. */
export function watchMemory(
  root: number,
  server: () => number,
): () => Pick<Footprint, 'processMb' | 'allMb'> {
  const most = { processMb: 0, allMb: 0 }
  const look = () => {
    const { processMb, allMb } = footprint(root, server())
    most.processMb = Math.max(most.processMb, processMb)
    most.allMb = Math.max(most.allMb, allMb)
  }
  const timer = setInterval(look, 250)
  return () => {
    clearInterval(timer)
    look()
    return most
  }
}
