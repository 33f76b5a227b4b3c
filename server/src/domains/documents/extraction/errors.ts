/** Why a file's text could not be taken out of it. */
export type ExtractionReason =
  | 'malformed'
  | 'malicious'
  | 'empty'
  | 'no_text'
  | 'timeout'
  /** Its reader threw something that it does not throw on purpose. */
  | 'failed'
  /** The server could not read any file now. */
  | 'unavailable'

const messages: Record<ExtractionReason, string> = {
  malformed: 'The file is damaged, protected by a password, or not of the type its name says.',
  malicious: 'The file contains active content that is not accepted.',
  empty: 'The file contains no text.',
  no_text:
    'The file has no text: it seems to hold only scanned images, so it needs OCR before it can be used.',
  timeout: 'Reading the file took longer than the time limit.',
  failed: 'The text of the file could not be extracted; it seems to be damaged.',
  unavailable: 'The file could not be read now; try again.',
}

/** An extraction that failed; `message` is safe to show to the person who uploaded the file. */
export class ExtractionError extends Error {
  readonly reason: ExtractionReason

  /** @param message one sentence without paths or internals; a general one for the reason when left out */
  constructor(reason: ExtractionReason, message: string = messages[reason], options?: ErrorOptions) {
    super(message, options)
    this.name = 'ExtractionError'
    this.reason = reason
  }
}

/** A module that reads files. If it cannot be loaded, the server is at fault, not the file. @throws ExtractionError */
export async function loaded<T>(module: Promise<T>): Promise<T> {
  try {
    return await module
  } catch (cause) {
    throw new ExtractionError('unavailable', undefined, { cause })
  }
}

/** The message for a file with more text than the limit. */
export function tooMuchText(maxBytes: number): string {
  return `The file holds more text than the limit of ${maxBytes} bytes (CAIRN_MAX_TEXT_BYTES); split it.`
}
