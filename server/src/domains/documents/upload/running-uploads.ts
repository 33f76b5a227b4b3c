import type { FileStatus } from '@cairn/contract'
import { newProgress, type Progress, percentOf } from '../extraction/index.ts'

/** An upload that is running, or that failed in the last minutes. */
export interface RunningUpload {
  chatId: string
  /** The id that the file will have; '' until one is assigned. */
  fileId: string
  /** Whether the id is known to be unused. Before that, lists and status do not show the upload. */
  isShown: boolean
  filename: string
  sizeBytes: number
  progress: Progress
  /** Resolves when `end` is called. */
  ended: Promise<void>
  end: () => void
  /** The message of a failed upload. */
  error?: string
}

/** Number of failed uploads whose status is kept, and for how long. */
const [failedKept, failedMs] = [200, 10 * 60_000]

function phaseMessage({ phase, pages }: Progress): string {
  switch (phase) {
    case 'queued':
      return 'is waiting for its turn'
    case 'reading':
      return pages.total > 0 ? `is being read, page ${pages.done} of ${pages.total}` : 'is being read'
    case 'chunking':
      return 'is being split into chunks'
    case 'indexing':
      return 'is being indexed'
    case 'storing':
      return 'is being stored'
  }
}

function statusOf({ fileId, filename, sizeBytes, progress, error }: RunningUpload): FileStatus {
  const underWay = progress.phase === 'queued' ? 'queued' : 'processing'
  return {
    success: true,
    file_id: fileId,
    status: error === undefined ? underWay : 'failed',
    filename,
    size_bytes: sizeBytes,
    chunk_count: 0,
    progress: percentOf(progress),
    message: `${filename} ${error === undefined ? phaseMessage(progress) : 'could not be processed; nothing of it is stored'}`,
    error: error ?? null,
  }
}

function isShownIn(chatId: string, upload: RunningUpload): boolean {
  return upload.chatId === chatId && upload.isShown
}

/**
 * The running uploads of this process, so that clients can follow a long upload. It is only in memory: a restart stops
 * all uploads, stores nothing of them, and their clients get an error.
 */
export class RunningUploads {
  readonly #byId = new Map<string, RunningUpload>()

  begin(chatId: string, filename: string, sizeBytes: number): RunningUpload {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    return { chatId, fileId: '', isShown: false, filename, sizeBytes, progress: newProgress(), ended, end }
  }

  /** Replaces the id of the upload; returns false if another upload of this process has the id. */
  takeId(upload: RunningUpload, fileId: string): boolean {
    if (this.#byId.has(fileId)) return false
    this.#byId.delete(upload.fileId)
    upload.fileId = fileId
    upload.isShown = false
    this.#byId.set(fileId, upload)
    return true
  }

  /** Call it when the file is stored; the status then comes from the store. */
  succeed(upload: RunningUpload): void {
    this.#byId.delete(upload.fileId)
    upload.end()
  }

  /** Keeps the message as the status of the id for some minutes. */
  fail(upload: RunningUpload, message: string): void {
    upload.error = message
    upload.end()
    const failed = [...this.#byId.values()].filter(({ error }) => error !== undefined)
    for (const { fileId } of failed.slice(0, -failedKept)) this.#byId.delete(fileId)
    setTimeout(() => this.#byId.delete(upload.fileId), failedMs).unref()
  }

  /** Newest first, without failed uploads. */
  list(chatId: string): FileStatus[] {
    const underWay = [...this.#byId.values()].filter((upload) => isShownIn(chatId, upload) && !upload.error)
    return underWay.map(statusOf).reverse()
  }

  status(chatId: string, fileId: string): FileStatus | undefined {
    const upload = this.#byId.get(fileId)
    return upload && isShownIn(chatId, upload) ? statusOf(upload) : undefined
  }

  /** Resolves when the upload with this id has ended, at once if the chat has no such upload. */
  async ended(chatId: string, fileId: string): Promise<void> {
    const upload = this.#byId.get(fileId)
    if (upload && isShownIn(chatId, upload)) await upload.ended
  }
}
