import { ChildError, type ChildErrorReason } from '../../../lib/children/child-error.ts'
import { createChildPool } from '../../../lib/children/child-pool.ts'
import type { Tenant } from '../../../lib/fair-queue.ts'
import { workerModule } from '../../../lib/package.ts'
import { sizeText } from '../../../lib/size-text.ts'
import { ExtractionError, tooMuchText } from './errors.ts'
import { type Progress, progressAt } from './progress.ts'
import { ExtractionTurns, type TurnOptions } from './turns.ts'
import type { ExtractionTask, PreparedDocument } from './worker.ts'

export interface ExtractionPoolOptions extends TurnOptions {
  /** Time limit for reading a file, in milliseconds; waiting in the queue does not count. */
  timeoutMs: number
  /** Number of files that are read at the same time: the places of both queues together. */
  width: number
  /** Memory limit for reading one file. */
  maxMemoryBytes: number
  /** Maximum text of a file, in bytes of UTF-8. */
  maxTextBytes: number
  /**
   * Called with unexpected errors of parsers and crashes of child processes. The cause contains no content of the
   * file.
   */
  onUnexpected?: (cause: Error) => void
  /** Module that exports `readInChild`; tests replace it. */
  module?: URL
}

export interface ReadOptions {
  /** Called whenever the progress changes. */
  onProgress?: (progress: Progress) => void
  /** Aborting removes a waiting file from the queue, or ends its reading. */
  signal?: AbortSignal | undefined
}

export interface ExtractionPool {
  /**
   * Extracts the text of a file, splits it into chunks and makes the segment for the search index. The extension of the
   * name selects the parser; the name is searchable, too.
   *
   * @throws CairnError for an extension that is not supported, or `rate_limited`; ExtractionError
   */
  extract(
    tenant: Tenant,
    bytes: Uint8Array,
    filename: string,
    options?: ReadOptions,
  ): Promise<PreparedDocument>
  /** Like `extract` for a plain text or its bytes in UTF-8, whatever the extension of its name. */
  chunkText(
    tenant: Tenant,
    text: string | Uint8Array,
    filename: string,
    options?: ReadOptions,
  ): Promise<PreparedDocument>
  /** Ends all child processes; running extractions fail. The pool must not be used afterwards. */
  close(): Promise<void>
}

const megabyte = 1024 * 1024
/** Maximum size of a reply per byte of text. A reply has the text, its chunks and the segment. */
const replyFactor = 4

/** Extracts files in child processes, which start with the first file and end when idle. */
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
  ): Promise<PreparedDocument> {
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
    chunkText(tenant, text, filename, options) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      return read(tenant, { bytes, filename, maxTextBytes, isText: true }, options)
    },
    close: () => children.close(),
  }
}

/** Reason and message for a file whose child process did not reply. */
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
        `Reading the file takes more memory than the limit of ${sizeText(maxMemoryBytes)} (CAIRN_EXTRACTION_BYTES).`,
      ]
    case 'reply':
      return ['malformed', tooMuchText(maxTextBytes)]
    case 'crashed':
      return ['malformed', 'The file is damaged or malicious: the process that read it crashed.']
    default:
      return ['unavailable']
  }
}
