import { readSync, writeSync } from 'node:fs'
import { FrameReader, frameOf } from './frames.ts'
import { type Call, type ChildFunction, channel, type Message } from './messages.ts'
import { goOffline } from './offline.ts'

/** Entry point of a child. Its argument is the URL of the module whose functions it runs, one at a time. */

type Functions = Record<string, ChildFunction>

const readBytes = 256 * 1024
/** Interval of progress reports. A reply does not wait for the next report. */
const reportMs = 40

/** The blocking read waits for the next call, so an idle child uses no time. It ends when the server has ended. */
function* calls(): Generator<Call> {
  const reader = new FrameReader(Number.MAX_SAFE_INTEGER)
  const piece = new Uint8Array(readBytes)
  for (;;) {
    const length = readSync(channel, piece)
    if (length === 0) return
    yield* reader.push(piece.subarray(0, length)) as Call[]
  }
}

function send(message: Message): void {
  for (const part of frameOf(message)) {
    for (let from = 0; from < part.length; ) from += writeSync(channel, part, from)
  }
}

function createReport(): (progress: unknown) => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  return (progress) => {
    const now = performance.now()
    if (now - reportedAt < reportMs) return
    reportedAt = now
    send({ kind: 'progress', progress })
  }
}

async function carryOut(functions: Functions, { name, task }: Call): Promise<Message> {
  try {
    const call = functions[name]
    if (!call) return { kind: 'threw', message: `the module has no ${name}` }
    return { kind: 'reply', reply: await call(task as never, createReport()) }
  } catch (error) {
    return { kind: 'threw', message: error instanceof Error ? error.message : String(error) }
  }
}

// Terminals and service managers signal the whole process group, but the server decides when its children end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
goOffline()
const functions = (await import(process.argv[2] ?? '')) as Functions
send({ kind: 'ready' })
for (const call of calls()) send(await carryOut(functions, call))
process.exit()
