import { storable } from '../../../lib/storable.ts'
import { type Chunk, chunkText } from '../chunking.ts'
import { ExtractionError, type ExtractionReason, extractText } from './extract.ts'
import type { Extension } from './types.ts'

/** What crosses the thread boundary to the worker and back: class instances do not survive it. */
export interface ExtractionTask {
  bytes: Uint8Array
  /** `text` for a text in UTF-8 that is only cut into chunks. */
  extension: Extension | 'text'
}

/** What is stored of a file: its text, and the chunks that the text is cut into. */
export interface ReadDocument {
  text: string
  chunks: Chunk[]
}

export type ExtractionReply =
  | { ok: true; document: ReadDocument }
  | { ok: false; reason: ExtractionReason; message: string }

/** Runs in a worker thread of the pool. Never throws for a bad file. */
export async function extractInWorker({ bytes, extension }: ExtractionTask): Promise<ExtractionReply> {
  try {
    const document =
      extension === 'text'
        ? { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), pages: [], headings: [] }
        : await extractText(bytes, extension)
    const text = storable(document.text)
    return { ok: true, document: { text, chunks: chunkText({ ...document, text }) } }
  } catch (error) {
    const { reason, message } = error instanceof ExtractionError ? error : new ExtractionError('failed')
    return { ok: false, reason, message }
  }
}
