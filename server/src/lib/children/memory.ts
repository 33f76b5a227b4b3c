import { readFileSync } from 'node:fs'

/** Bytes of memory that a process has now; 0 when it has ended, and where the system has no `/proc`. */
export function residentBytes(pid: number): number {
  try {
    const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return 0
  }
}
