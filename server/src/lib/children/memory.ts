import { readFileSync } from 'node:fs'

/** Resident memory of a process in bytes; 0 if the process has ended or the system has no `/proc`. */
export function residentBytes(pid: number): number {
  try {
    const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return 0
  }
}
