import { ExtractionError, type ExtractionReason, extractText } from './extract.ts'
import type { Extension, ExtractedDocument } from './types.ts'

/** What crosses the thread boundary to the worker and back: class instances do not survive it. */
export interface ExtractionTask {
  bytes: Uint8Array
  extension: Extension
}

export type ExtractionReply =
  | { ok: true; document: ExtractedDocument }
  | { ok: false; reason: ExtractionReason; message: string }

/** Runs in a worker thread of the pool. Never throws for a bad file. */
export async function extractInWorker({ bytes, extension }: ExtractionTask): Promise<ExtractionReply> {
  try {
    return { ok: true, document: await extractText(bytes, extension) }
  } catch (error) {
    const { reason, message } = error instanceof ExtractionError ? error : new ExtractionError('failed')
    return { ok: false, reason, message }
  }
}
