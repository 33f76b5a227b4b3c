import { CairnError, type ErrorCode } from '@cairn/contract'
import { ExtractionError, type ExtractionReason } from './extraction/errors.ts'
import type { ReadDocument } from './extraction/worker.ts'

const errorCodes: Record<ExtractionReason, ErrorCode> = {
  malformed: 'unreadable_file',
  malicious: 'unreadable_file',
  empty: 'unreadable_file',
  no_text: 'unreadable_file',
  timeout: 'processing_timeout',
  failed: 'extraction_failed',
}

/** What was read, or why it could not be as an error of the catalogue. */
export async function readable(reading: Promise<ReadDocument>): Promise<ReadDocument> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error
    throw new CairnError(errorCodes[error.reason], error.message, { cause: error.cause })
  }
}
