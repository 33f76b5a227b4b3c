// Runs the server as a child process, and restarts it on the same port after a crash. No library is loaded here, so that
// this process stays small and has little that could fail.
//
// Both communicate over the child's IPC channel: the supervisor sends the number of restarts, and the server sends its port
// and reports an intended stop. If the supervisor dies, the closed channel tells the server to stop.
import { spawn } from 'node:child_process'
import os from 'node:os'

/** The first pause before a restart doubles with each further one, up to the last. */
const firstDelayMs = 100
const longestDelayMs = 10_000
/** A server that has listened for so long has recovered: the next pause is the first one again. */
const recoveredMs = 60_000
/** A second signal means at once: a server whose event loop is blocked gets no longer than this. */
const lastMs = 500

/**
 * glibc keeps the memory that threads free. With few arenas, and with large blocks mapped on their own, it goes back to
 * the system. docs/decisions/2026-11-22-resident-memory.md has the measurements. Variables of the environment win.
 */
const memoryVariables = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '1048576',
}
/** Megabytes. Without it each thread keeps up to 100 MB for young objects. */
const memoryFlags = ['--max-semi-space-size=16']

/** One JSON object a line, as the server's own log. */
function log(level, fields, msg) {
  if (['fatal', 'silent'].includes(process.env.CAIRN_LOG_LEVEL?.trim() ?? '')) return
  process.stdout.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg })}\n`)
}

/** A process that a signal has ended exits with 128 plus the signal's number, as in a shell. */
function exitCodeOf(code, signal) {
  return code ?? 128 + (os.constants.signals[signal] ?? 0)
}

/**
 * Runs `node <entry> <args>` until it stops on request. A server that ends before it has listened for the first time is
 * not started again: its configuration is wrong, and its message and exit code say so.
 */
export function supervise(entry, args) {
  /** The server listens on the same port again, so that clients find it also where PORT is 0. */
  let port
  let restarts = 0
  let delayMs = firstDelayMs
  let last = null
  let child
  let isStopping = false

  function start() {
    let listenedAt
    child = spawn(process.execPath, [...memoryFlags, ...process.execArgv, entry, ...args], {
      env: {
        ...memoryVariables,
        ...process.env,
        CAIRN_SUPERVISOR: 'off',
        ...(port !== undefined && { PORT: String(port) }),
      },
      // The channel tells the server that this process has died: then the server stops.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // In a process group of its own: Ctrl-C in a terminal reaches this process alone, which passes it on once.
      detached: process.platform !== 'win32',
    })
    child.on('error', (error) => {
      process.stderr.write(`Cairn cannot start: ${error.message}\n`)
      process.exit(1)
    })
    child.send({ restarts, last }, () => {})
    child.on('message', (message) => {
      if (message.stopping) isStopping = true
      if (message.port === undefined) return
      port = message.port
      listenedAt = performance.now()
    })
    child.once('exit', (code, signal) => ended(code, signal, listenedAt))
  }

  function ended(code, signal, listenedAt) {
    child = undefined
    // Exit code 0 is that of a server which was asked to stop; its message may still be on the way.
    if (isStopping || code === 0 || port === undefined) process.exit(exitCodeOf(code, signal))
    const listenedMs = listenedAt === undefined ? 0 : performance.now() - listenedAt
    if (listenedMs > recoveredMs) delayMs = firstDelayMs
    restarts += 1
    last = { code, signal, at: new Date().toISOString(), listened_seconds: Math.round(listenedMs / 100) / 10 }
    log(50, { ...last, restarts, delay_ms: delayMs }, 'the server has died and is started again')
    setTimeout(start, delayMs)
    delayMs = Math.min(2 * delayMs, longestDelayMs)
  }

  // A reader of the log that has gone away must not end the server.
  process.stdout.on('error', () => {})
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      if (!child) process.exit(0)
      child.kill(signal)
      if (isStopping) setTimeout(() => child?.kill('SIGKILL'), lastMs)
      isStopping = true
    })
  }
  start()
}
