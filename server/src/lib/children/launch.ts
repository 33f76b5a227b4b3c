import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codePaths, workerModule } from '../package.ts'

export interface LaunchOptions {
  /** Module with the functions that the child runs. */
  module: URL
  /** Memory limit of the child. */
  maxMemoryBytes: number
  /** Processor seconds after which the operating system ends the child, as a last resort. */
  maxCpuSeconds: number
  /** Whether the server's own threads have priority if cores are scarce. */
  yields: boolean
  /** Whether the libraries may compile code from strings. */
  compilesStrings: boolean
}

const megabyte = 1024 * 1024
/** Share of the memory limit for JavaScript objects; the rest is for buffers, stacks and the program. */
const heapShare = 2 / 3
/** Size of the young generation. The default collects garbage of long files too late; a smaller size takes more time. */
const youngMegabytes = 8
/** Generous estimate of the address space that Node reserves without using it. */
const unusedBytes = 1024 * megabyte
/** A third of the server's share of a core, if both need it. */
export const usualNiceness = 5

/**
 * Limits that the operating system enforces, set before the program starts: no files (so no core dump), memory,
 * processor time, and first to be killed if the machine runs out of memory. If the tools exist and are permitted, there
 * is also no network, and the child ends with the server even in an endless loop. The two limits precede the program.
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

/** Starts a child without rights: no environment, writing, processes, threads or network. */
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

/** Lowers the priority of a process: the higher the number (0 to 19), the lower. Returns false if not permitted. */
export function trySetPriority(pid: number | undefined, niceness: number): boolean {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
    return true
  } catch {
    // The process has ended, or raising its priority needs an administrator.
    return false
  }
}
