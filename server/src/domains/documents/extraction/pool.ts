import type { Piscina } from 'piscina'
import { workerModule } from '../../../lib/package.ts'
import { ExtractionError } from './errors.ts'
import type { Progress } from './progress.ts'
import type { ExtractionReply, ExtractionTask, ReadDocument } from './worker.ts'

export interface ExtractionPoolOptions {
  /** Milliseconds after which an extraction is ended and its thread killed, waiting included; default 30,000. */
  timeoutMs?: number
  /** Files that are read at the same time; default 2. */
  maxThreads?: number
  /** Megabytes of heap that one extraction may use; default 512. */
  maxMemoryMb?: number
  /** Module whose `readInWorker` does the work; tests replace it. */
  workerUrl?: URL
}

export interface ExtractionPool {
  /**
   * The text of a file, its chunks, and what the index takes of them. The name's extension tells the type, and the
   * name is searched too. `progress` follows the work. The bytes are gone afterwards: the thread has them.
   *
   * @throws CairnError for an extension that is not supported; ExtractionError; `timeout` when the limit is reached, `malformed` when memory was not enough, `failed`
   *   when the thread died of something else
   */
  extract(bytes: Uint8Array, filename: string, progress?: Progress): Promise<ReadDocument>
  /** The same for a plain text, or its bytes in UTF-8, whatever its name says; fails as `extract` does. */
  cut(text: string | Uint8Array, filename: string, progress?: Progress): Promise<ReadDocument>
  /** Ends all threads; running extractions fail. The pool must not be used afterwards. */
  close(): Promise<void>
}

const idleThreadMs = 2_000
/** The usual size lets much garbage of a long file gather before it is collected; a smaller one takes more time. */
const youngMemoryMb = 24

/** A pool of worker threads for extraction. Threads start with the first file and end when idle. */
export function createExtractionPool(options: ExtractionPoolOptions = {}): ExtractionPool {
  const { timeoutMs = 30_000 } = options
  let threads: Promise<Piscina<ExtractionTask, ExtractionReply>> | undefined
  async function read(task: ExtractionTask): Promise<ReadDocument> {
    threads ??= startThreads(options)
    const reply = await runTask(await threads, task, timeoutMs)
    if (reply.ok) return reply.document
    throw new ExtractionError(reply.reason, reply.message)
  }
  return {
    extract: (bytes, filename, progress) =>
      read({ bytes: movable(bytes), filename, ...(progress && { progress }) }),
    cut: (text, filename, progress) => {
      const bytes = movable(typeof text === 'string' ? Buffer.from(text) : text)
      return read({ bytes, filename, isText: true, ...(progress && { progress }) })
    },
    async close() {
      await (await threads)?.destroy()
    },
  }
}

async function startThreads(
  options: ExtractionPoolOptions,
): Promise<Piscina<ExtractionTask, ExtractionReply>> {
  // Loaded on first use, so that a server that reads no file does not pay for it.
  const { Piscina } = await import('piscina')
  return new Piscina<ExtractionTask, ExtractionReply>({
    filename: (options.workerUrl ?? workerModule('domains/documents/extraction/worker')).href,
    name: 'readInWorker',
    minThreads: 0,
    maxThreads: options.maxThreads ?? 2,
    idleTimeout: idleThreadMs,
    resourceLimits: {
      maxOldGenerationSizeMb: options.maxMemoryMb ?? 512,
      maxYoungGenerationSizeMb: youngMemoryMb,
    },
  })
}

/** Bytes that have their memory to themselves: a copy of those that do not. */
function movable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  return isAlone ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
}

/** Aborting a running task makes the pool terminate its thread, which also stops an endless loop. */
async function runTask(
  threads: Piscina<ExtractionTask, ExtractionReply>,
  task: ExtractionTask,
  timeoutMs: number,
): Promise<ExtractionReply> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  try {
    return await threads.run(task, { signal: limit.signal, transferList: [task.bytes.buffer as ArrayBuffer] })
  } catch (cause) {
    if (isOutOfMemory(cause)) {
      throw new ExtractionError('malformed', 'Reading the file takes more memory than the limit.', { cause })
    }
    throw new ExtractionError(limit.signal.aborted ? 'timeout' : 'failed', undefined, { cause })
  } finally {
    clearTimeout(timer)
  }
}

/** The thread died at its memory limit: the file is at fault, not the server. */
function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
