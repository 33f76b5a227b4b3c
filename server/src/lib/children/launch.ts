import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codePaths, workerModule } from '../package.ts'

export interface LaunchOptions {
  /** Module whose functions the child carries out. */
  module: URL
  /** Bytes that the child may keep in memory. */
  maxMemoryBytes: number
  /** Processor seconds after which the system ends the child, should nobody else have. */
  maxCpuSeconds: number
  /** Whether the server's own work comes first where there are not enough cores. */
  yields: boolean
  /** Whether its libraries may compile code out of strings. */
  compilesStrings: boolean
}

const megabyte = 1024 * 1024
/** Of its memory, what a child's objects may take; the rest is for bytes, stacks and the program itself. */
const heapShare = 2 / 3
/** The usual size lets much garbage of a long file gather before it is collected; a smaller one takes more time. */
const youngMegabytes = 8
/** Address space that Node asks for and does not use, generously. */
const unusedBytes = 1024 * megabyte
/** A third of the share of a core that the server gets, when both want it. */
export const usualNiceness = 5

/**
 * Limits that the system itself keeps, before it runs the program: no files (also none of the memory of a crash), memory,
 * time; first to go when the machine runs out of memory. Where the tools are there and allowed: the end of the server is
 * its end too, also in the middle of an endless loop, and no network. The two numbers come before the program.
 */
const limited = `
echo 1000 > /proc/self/oom_score_adj
ulimit -c 0; ulimit -f 0; ulimit -t "$1"; ulimit -d "$2"
shift 2
if setpriv --no-new-privs --pdeathsig KILL true 2> /dev/null; then set -- setpriv --no-new-privs --pdeathsig KILL "$@"; fi
if unshare --net true 2> /dev/null; then set -- unshare --net "$@"
elif unshare --user --net true 2> /dev/null; then set -- unshare --user --net "$@"; fi
exec "$@"`
const shell = '/bin/sh'

/** Starts a child with nothing but its code: no environment, no writing, no processes, no threads, no network. */
export function launch(options: LaunchOptions): ChildProcess {
  const { module, maxMemoryBytes, maxCpuSeconds, yields, compilesStrings } = options
  const flags = [
    '--permission',
    ...codePaths().map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${Math.ceil((heapShare * maxMemoryBytes) / megabyte)}`,
    `--max-semi-space-size=${youngMegabytes}`,
    '--disable-sigusr1',
    '--no-warnings',
    ...(compilesStrings ? [] : ['--disallow-code-generation-from-strings']),
  ]
  const main = fileURLToPath(workerModule('lib/children/main'))
  const program = [process.execPath, ...flags, main, module.href]
  const dataKilobytes = Math.ceil((maxMemoryBytes + unusedBytes) / 1024)
  const [command = '', ...args] = existsSync(shell)
    ? [shell, '-c', limited, shell, String(maxCpuSeconds), String(dataKilobytes), ...program]
    : program
  const child = spawn(command, args, {
    env: {},
    cwd: parse(process.execPath).root,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  if (yields) trySetPriority(child.pid, usualNiceness)
  return child
}

/** Has the system prefer other processes to this one, more the higher the number (0 to 19); false when it refuses. */
export function trySetPriority(pid: number | undefined, niceness: number): boolean {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
    return true
  } catch {
    // The process has ended, or only an administrator may raise its priority.
    return false
  }
}
