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
  /** A text in UTF-8 that is only cut into chunks. */
  isText?: boolean
  /** Most text, in UTF-8, that the file may hold. */
  maxTextBytes: number
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
  /** For the log: what nobody expected. It has nothing of the file's content. */
  cause?: string
}

export type ExtractionReply = { ok: true; document: ReadDocument } | Failure

type Report = (progress: Progress) => void

function plainText(bytes: Uint8Array): ExtractedDocument {
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), pages: [], headings: [] }
}

/** Runs in a child process. Never throws for a bad file. */
export async function readInChild(task: ExtractionTask, report: Report): Promise<ExtractionReply> {
  const reply = await cutDocument(task, report)
  if (!reply.ok) return reply
  const { text, chunks, pages, segment } = reply.document
  return { ok: true, document: { content: packText(text, chunks, pages), segment } }
}

export async function cutDocument(
  task: ExtractionTask,
  report: Report = () => {},
): Promise<{ ok: true; document: CutDocument } | Failure> {
  const { bytes, filename, maxTextBytes } = task
  try {
    report(progressAt('reading'))
    const onPage = (done: number, total: number) => report({ phase: 'reading', pages: { done, total } })
    const document = task.isText ? plainText(bytes) : await extractText(bytes, extensionOf(filename), onPage)
    refuseTooMuchText(document, maxTextBytes)
    const text = storable(document.text)
    report(progressAt('cutting'))
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

/** Whether a library could not be loaded, or a file of it not be read. */
function isMissingCode(error: unknown): boolean {
  const codes = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_ACCESS_DENIED']
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Name and place of an error, without its message: parsers quote the file in it. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? []
  return [error.name, ...frames].join('\n')
}

function refuseTooMuchText({ text }: ExtractedDocument, maxBytes: number): void {
  if (Buffer.byteLength(text) > maxBytes) throw new ExtractionError('malformed', tooMuchText(maxBytes))
}
