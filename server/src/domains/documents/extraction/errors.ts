import { sizeText } from '../../../lib/size-text.ts'
/** Why the text of a file could not be extracted. */
export type ExtractionReason =
  | 'malformed'
  | 'malicious'
  | 'empty'
  | 'no_text'
  | 'timeout'
  /** The parser threw an unexpected error. */
  | 'failed'
  /** The server cannot read files now; the file is not the cause. */
  | 'unavailable'

const messages: Record<ExtractionReason, string> = {
  malformed: 'The file is damaged, protected by a password, or has a different type than its name.',
  malicious: 'The file contains active content that is not accepted.',
  empty: 'The file contains no text.',
  no_text:
    'The file has no text. It seems to contain only scanned images; run OCR on it and upload the result.',
  timeout: 'Reading the file took longer than the time limit.',
  failed: 'The text of the file could not be extracted; it seems to be damaged.',
  unavailable: 'The file could not be read now; try again.',
}

/** A failed extraction. Its `message` is safe to show to the person who uploaded the file. */
export class ExtractionError extends Error {
  readonly reason: ExtractionReason

  /** @param message one sentence without paths or internals; by default the general message of the reason */
  constructor(reason: ExtractionReason, message: string = messages[reason], options?: ErrorOptions) {
    super(message, options)
    this.name = 'ExtractionError'
    this.reason = reason
  }
}

/** Awaits the import of a parser. If the import fails, the server is at fault, not the file. @throws ExtractionError */
export async function loaded<T>(module: Promise<T>): Promise<T> {
  try {
    return await module
  } catch (cause) {
    throw new ExtractionError('unavailable', undefined, { cause })
  }
}

/** The message for a file with more text than the limit. */
export function tooMuchText(maxBytes: number): string {
  return `The file contains more text than the limit of ${sizeText(maxBytes)} (CAIRN_MAX_TEXT_BYTES); split it.`
}
