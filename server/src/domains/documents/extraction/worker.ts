import { storable } from '../../../lib/storable.ts'
import { yieldToOthers } from '../../../lib/thread-priority.ts'
import { type StoredSegment, storedSegment } from '../../retrieval/index.ts'
import { type Chunk, chunkText } from '../chunking.ts'
import { extensionOf } from '../filename.ts'
import { type ExtractedDocument, ExtractionError, type ExtractionReason, extractText } from './extract.ts'
import { type Progress, reportPages, reportPhase } from './progress.ts'

yieldToOthers()

/** What crosses the thread boundary to the worker and back: class instances do not survive it. */
export interface ExtractionTask {
  bytes: Uint8Array
  filename: string
  /** A text in UTF-8 that is only cut into chunks. */
  isText?: boolean
  /** Written as the work goes on. */
  progress?: Progress
}

/** What is stored of a file: its text, the chunks that the text is cut into, and what the index takes of them. */
export interface ReadDocument {
  text: string
  chunks: Chunk[]
  segment: StoredSegment
}

export type ExtractionReply =
  | { ok: true; document: ReadDocument }
  | { ok: false; reason: ExtractionReason; message: string }

function plainText(bytes: Uint8Array): ExtractedDocument {
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), pages: [], headings: [] }
}

/** Runs in a worker thread of the pool. Never throws for a bad file. */
export async function extractInWorker(task: ExtractionTask): Promise<ExtractionReply> {
  const { bytes, filename, progress } = task
  try {
    reportPhase(progress, 'reading')
    const onPage = (done: number, total: number) => reportPages(progress, done, total)
    const document = task.isText ? plainText(bytes) : await extractText(bytes, extensionOf(filename), onPage)
    const text = storable(document.text)
    reportPhase(progress, 'cutting')
    const chunks = chunkText({ ...document, text })
    reportPhase(progress, 'indexing')
    return { ok: true, document: { text, chunks, segment: storedSegment(filename, chunks) } }
  } catch (error) {
    const { reason, message } = error instanceof ExtractionError ? error : new ExtractionError('failed')
    return { ok: false, reason, message }
  }
}
