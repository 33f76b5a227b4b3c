import { storable } from '../../../lib/storable.ts'
import { type StoredSegment, storedSegment } from '../../retrieval/index.ts'
import { extensionOf } from '../filename.ts'
import { type Chunk, chunkText } from './chunking.ts'
import { tooMuchText } from './errors.ts'
import { type ExtractedDocument, ExtractionError, type ExtractionReason, extractText } from './extract.ts'
import { type PackedText, packText } from './packing.ts'
import { type Progress, progressAt } from './progress.ts'

export interface ExtractionTask {
  bytes: Uint8Array
  filename: string
  /** True for plain text in UTF-8, whatever the extension of its name. */
  isText?: boolean
  /** Maximum text of the file, in bytes of UTF-8. */
  maxTextBytes: number
}

/** A text, its chunks and its segment. */
interface ChunkedDocument {
  text: string
  chunks: Chunk[]
  /** 0 for a file without pages. */
  pages: number
  segment: StoredSegment
}

/** The text and chunks of a file as packed rows, and its segment for the search index. */
export interface PreparedDocument {
  content: PackedText
  segment: StoredSegment
}

interface Failure {
  ok: false
  reason: ExtractionReason
  message: string
  /** An unexpected error, for the log. It contains no content of the file. */
  cause?: string
}

export type ExtractionReply = { ok: true; document: PreparedDocument } | Failure

type Report = (progress: Progress) => void

function plainText(bytes: Uint8Array): ExtractedDocument {
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), pages: [], headings: [] }
}

/** Runs in a child process. For a bad file it returns a `Failure` and does not throw. */
export async function readInChild(task: ExtractionTask, report: Report): Promise<ExtractionReply> {
  const reply = await extractChunks(task, report)
  if (!reply.ok) return reply
  const { text, chunks, pages, segment } = reply.document
  return { ok: true, document: { content: packText(text, chunks, pages), segment } }
}

/** Extracts a file, splits its text into chunks and makes the segment. Does not throw. */
export async function extractChunks(
  task: ExtractionTask,
  report: Report = () => {},
): Promise<{ ok: true; document: ChunkedDocument } | Failure> {
  const { bytes, filename, maxTextBytes } = task
  try {
    report(progressAt('reading'))
    const onPage = (done: number, total: number) => report({ phase: 'reading', pages: { done, total } })
    const document = task.isText ? plainText(bytes) : await extractText(bytes, extensionOf(filename), onPage)
    refuseTooMuchText(document, maxTextBytes)
    const text = storable(document.text)
    report(progressAt('chunking'))
    const chunks = chunkText({ ...document, text })
    report(progressAt('indexing'))
    const pages = document.pages.length
    return { ok: true, document: { text, chunks, pages, segment: storedSegment(filename, chunks) } }
  } catch (error) {
    return failureOf(error)
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof ExtractionError) {
    const { reason, message, cause } = error
    const isOurFault = reason === 'unavailable' && cause instanceof Error
    return { ok: false, reason, message, ...(isOurFault && { cause: cause.stack ?? cause.message }) }
  }
  if (isMissingCode(error)) return failureOf(new ExtractionError('unavailable', undefined, { cause: error }))
  const { reason, message } = new ExtractionError('failed')
  return { ok: false, reason, message, cause: placeOf(error) }
}

/** Whether a library could not be loaded. */
function isMissingCode(error: unknown): boolean {
  const codes = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_ACCESS_DENIED']
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Name and stack of an error, without its message, because parsers quote the file in it. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? []
  return [error.name, ...frames].join('\n')
}

function refuseTooMuchText({ text }: ExtractedDocument, maxBytes: number): void {
  if (Buffer.byteLength(text) > maxBytes) throw new ExtractionError('malformed', tooMuchText(maxBytes))
}
