import { ChildError, type ChildErrorReason } from '../../../lib/children/child-error.ts'
import { createChildPool } from '../../../lib/children/child-pool.ts'
import type { Tenant } from '../../../lib/fair-queue.ts'
import { workerModule } from '../../../lib/package.ts'
import { ExtractionError, tooMuchText } from './errors.ts'
import { type Progress, progressAt } from './progress.ts'
import { ExtractionTurns, type TurnOptions } from './turns.ts'
import type { ExtractionTask, ReadDocument } from './worker.ts'

export interface ExtractionPoolOptions extends TurnOptions {
  /** Milliseconds that reading a file may take; waiting for a turn does not count. */
  timeoutMs: number
  /** Files that are read at the same time: the places of both queues. */
  width: number
  /** Bytes of memory that reading one file may take. */
  maxMemoryBytes: number
  /** Most text, in UTF-8, that a file may hold. */
  maxTextBytes: number
  /** Told of a file that could not be read for a reason that its format does not explain. It names no content. */
  onUnexpected?: (cause: Error) => void
  /** Module whose `readInChild` does the work; tests replace it. */
  module?: URL
}

export interface ReadOptions {
  /** Told whenever it is known how far a file is. */
  onProgress?: (progress: Progress) => void
  /** Aborting removes a waiting file from the queue, or ends its reading. */
  signal?: AbortSignal | undefined
}

export interface ExtractionPool {
  /**
   * The text of a file, its chunks, and what the index takes of them. The name's extension tells the type, and the
   * name is searched too.
   *
   * @throws CairnError for an extension that is not supported, or `rate_limited`; ExtractionError
   */
  extract(tenant: Tenant, bytes: Uint8Array, filename: string, options?: ReadOptions): Promise<ReadDocument>
  /** The same for a plain text, or its bytes in UTF-8, whatever its name says; fails as `extract` does. */
  cut(
    tenant: Tenant,
    text: string | Uint8Array,
    filename: string,
    options?: ReadOptions,
  ): Promise<ReadDocument>
  /** Ends all processes; running extractions fail. The pool must not be used afterwards. */
  close(): Promise<void>
}

const megabyte = 1024 * 1024
/** Bytes of a reply for each byte of text: the text and its chunks, two bytes a character, or what the index takes. */
const replyFactor = 4

/** Extraction in child processes, which start with the first file and end when idle. */
export function createExtractionPool(options: ExtractionPoolOptions): ExtractionPool {
  const { timeoutMs, width, maxMemoryBytes, maxTextBytes } = options
  const children = createChildPool<Pick<typeof import('./worker.ts'), 'readInChild'>>({
    module: options.module ?? workerModule('domains/documents/extraction/worker'),
    width,
    timeoutMs,
    maxMemoryBytes,
    maxReplyBytes: replyFactor * maxTextBytes + megabyte,
  })
  const turns = new ExtractionTurns(options)

  function failure(cause: unknown): unknown {
    if (!(cause instanceof ChildError)) return cause
    const [reason, message] = failureOf(cause.reason, options)
    if (cause.reason === 'crashed') options.onUnexpected?.(cause)
    return new ExtractionError(reason, message, { cause })
  }

  async function read(
    tenant: Tenant,
    task: ExtractionTask,
    { onProgress = () => {}, signal: whileWanted }: ReadOptions = {},
  ): Promise<ReadDocument> {
    const start = async (onStart: () => void, signal?: AbortSignal) => {
      const report = (progress: unknown) => onProgress(progress as Progress)
      try {
        return await children.run('readInChild', task, {
          onStart() {
            onStart()
            onProgress(progressAt('reading'))
          },
          onProgress: report,
          ...(signal && { signal }),
        })
      } catch (error) {
        signal?.throwIfAborted()
        throw failure(error)
      }
    }
    const reply = await turns.run(tenant, task.bytes.length, start, whileWanted)
    if (reply.ok) return reply.document
    const cause = reply.cause === undefined ? undefined : new Error(reply.cause)
    if (cause && reply.reason === 'failed') options.onUnexpected?.(cause)
    throw new ExtractionError(reply.reason, reply.message, { cause })
  }

  return {
    extract: (tenant, bytes, filename, options) => read(tenant, { bytes, filename, maxTextBytes }, options),
    cut(tenant, text, filename, options) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      return read(tenant, { bytes, filename, maxTextBytes, isText: true }, options)
    },
    close: () => children.close(),
  }
}

/** Reason and message for a file whose process did not reply. */
function failureOf(
  reason: ChildErrorReason,
  { timeoutMs, maxMemoryBytes, maxTextBytes }: ExtractionPoolOptions,
): ConstructorParameters<typeof ExtractionError> {
  switch (reason) {
    case 'time':
      return [
        'timeout',
        `Reading the file took longer than the time limit of ${timeoutMs / 1000} s (CAIRN_PROCESSING_SECONDS).`,
      ]
    case 'memory':
      return [
        'malformed',
        `Reading the file takes more memory than the limit of ${maxMemoryBytes} bytes (CAIRN_EXTRACTION_BYTES).`,
      ]
    case 'reply':
      return ['malformed', tooMuchText(maxTextBytes)]
    case 'crashed':
      return ['malformed', 'The file is damaged, or made to do harm: reading it came to a sudden end.']
    default:
      return ['unavailable']
  }
}
