import { markdownHeadings } from './markdown.ts'
import { decodeText } from './plain-text.ts'
import type { Extension, ExtractedDocument } from './types.ts'

export { ExtractionError, type ExtractionReason } from './errors.ts'
export type { Extension, ExtractedDocument } from './types.ts'

/**
 * Takes the text out of a file, with its pages (PDF) and headings (PDF, Markdown).
 * Text and Markdown come out exactly as they are in the file, so that a range of the text is a range of it.
 *
 * Runs in the calling thread without a limit: use the pool for files of others.
 *
 * @throws ExtractionError with the reason
 */
export async function extractText(bytes: Uint8Array, extension: Extension): Promise<ExtractedDocument> {
  if (extension === 'pdf') {
    // pdf.js is heavy: only a process that reads a PDF loads it.
    const { extractPdf } = await import('./pdf.ts')
    return extractPdf(bytes)
  }
  const text = decodeText(bytes)
  return { text, pages: [], headings: extension === 'md' ? markdownHeadings(text) : [] }
}
