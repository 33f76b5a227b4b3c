import { move, transferableSymbol, valueSymbol } from 'piscina'
import { storable } from '../../../lib/storable.ts'
import { yieldToOthers } from '../../../lib/thread-priority.ts'
import { type StoredSegment, storedSegment } from '../../retrieval/index.ts'
import { type Chunk, chunkText } from '../chunking.ts'
import { extensionOf } from '../filename.ts'
import { bytesOf, type PackedText, packText } from '../packing.ts'
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

/** A text, the chunks that it is cut into, and what the index takes of them. */
interface CutDocument {
  text: string
  chunks: Chunk[]
  /** 0 for a file without pages. */
  pages: number
  segment: StoredSegment
}

/** What is stored of a file. */
export interface ReadDocument {
  content: PackedText
  segment: StoredSegment
}

interface Failure {
  ok: false
  reason: ExtractionReason
  message: string
}

export type ExtractionReply = { ok: true; document: ReadDocument } | Failure

function plainText(bytes: Uint8Array): ExtractedDocument {
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), pages: [], headings: [] }
}

/** Runs in a worker thread of the pool. Never throws for a bad file. */
export async function readInWorker(task: ExtractionTask): Promise<ExtractionReply> {
  const reply = await cutDocument(task)
  if (!reply.ok) return reply
  const { text, chunks, pages, segment } = reply.document
  return handedOver({ content: packText(text, chunks, pages), segment })
}

/** The reply without a copy of its bytes: they are the main thread's from then on. */
function handedOver(document: ReadDocument): ExtractionReply {
  const { content, segment } = document
  const bytes = [...bytesOf(content), segment.bytes.buffer as ArrayBuffer]
  const reply = { ok: true, document }
  return move({
    get [transferableSymbol]() {
      return bytes
    },
    get [valueSymbol]() {
      return reply
    },
  }) as unknown as ExtractionReply
}

export async function cutDocument(
  task: ExtractionTask,
): Promise<{ ok: true; document: CutDocument } | Failure> {
  const { bytes, filename, progress } = task
  try {
    reportPhase(progress, 'reading')
    const onPage = (done: number, total: number) => reportPages(progress, done, total)
    const document = task.isText ? plainText(bytes) : await extractText(bytes, extensionOf(filename), onPage)
    const text = storable(document.text)
    reportPhase(progress, 'cutting')
    const chunks = chunkText({ ...document, text })
    reportPhase(progress, 'indexing')
    const pages = document.pages.length
    return { ok: true, document: { text, chunks, pages, segment: storedSegment(filename, chunks) } }
  } catch (error) {
    const { reason, message } = error instanceof ExtractionError ? error : new ExtractionError('failed')
    return { ok: false, reason, message }
  }
}
