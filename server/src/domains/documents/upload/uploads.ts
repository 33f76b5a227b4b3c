import type { FileStatus } from '@cairn/contract'
import { newProgress, type Progress, percentOf } from '../extraction/index.ts'

/** An upload under way, or one that failed a short while ago. */
export interface RunningUpload {
  chatId: string
  /** The id that the file is going to have; '' at first. */
  fileId: string
  /** Whether the id is known to be nobody else's; before that nothing is shown under it. */
  isShown: boolean
  filename: string
  sizeBytes: number
  progress: Progress
  /** Resolves when `end` is called. */
  ended: Promise<void>
  end: () => void
  /** What went wrong, when it has. */
  error?: string
}

/** Failed uploads that are remembered, and for how long. */
const [failedKept, failedMs] = [200, 10 * 60_000]

function phaseMessage({ phase, pages }: Progress): string {
  switch (phase) {
    case 'queued':
      return 'waits for its turn'
    case 'reading':
      return pages.total > 0 ? `is being read, page ${pages.done} of ${pages.total}` : 'is being read'
    case 'cutting':
      return 'is being cut into chunks'
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
 * The uploads that this process works on, so that a long one can be watched before its file is there. It holds nothing
 * that a restart would have to keep: what was under way then is not stored, and its sender knows.
 */
export class RunningUploads {
  readonly #byId = new Map<string, RunningUpload>()

  begin(chatId: string, filename: string, sizeBytes: number): RunningUpload {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    return { chatId, fileId: '', isShown: false, filename, sizeBytes, progress: newProgress(), ended, end }
  }

  /** Keeps an id for the upload in place of the one it has; false when another upload here has it. */
  take(upload: RunningUpload, fileId: string): boolean {
    if (this.#byId.has(fileId)) return false
    this.#byId.delete(upload.fileId)
    upload.fileId = fileId
    upload.isShown = false
    this.#byId.set(fileId, upload)
    return true
  }

  /** The file is stored: from here on the store tells of it. */
  succeed(upload: RunningUpload): void {
    this.#byId.delete(upload.fileId)
    upload.end()
  }

  /** The id tells what went wrong for some minutes. */
  fail(upload: RunningUpload, message: string): void {
    upload.error = message
    upload.end()
    const failed = [...this.#byId.values()].filter(({ error }) => error !== undefined)
    for (const { fileId } of failed.slice(0, -failedKept)) this.#byId.delete(fileId)
    setTimeout(() => this.#byId.delete(upload.fileId), failedMs).unref()
  }

  /** Newest first; failed ones are not among them. */
  list(chatId: string): FileStatus[] {
    const underWay = [...this.#byId.values()].filter((upload) => isShownIn(chatId, upload) && !upload.error)
    return underWay.map(statusOf).reverse()
  }

  status(chatId: string, fileId: string): FileStatus | undefined {
    const upload = this.#byId.get(fileId)
    return upload && isShownIn(chatId, upload) ? statusOf(upload) : undefined
  }

  /** Resolves when the upload of this id, if there is one in the chat, has ended. */
  async ended(chatId: string, fileId: string): Promise<void> {
    const upload = this.#byId.get(fileId)
    if (upload && isShownIn(chatId, upload)) await upload.ended
  }
}
