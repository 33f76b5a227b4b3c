import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { ExtractionError, loaded } from './errors.ts'
import { blocksOf } from './pdf-blocks.ts'
import { rowsOf } from './pdf-rows.ts'
import { refuseActivePdf } from './pdf-safety.ts'
import { composeText } from './pdf-text.ts'
import type { OnPage } from './progress.ts'
import type { ExtractedDocument } from './types.ts'

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>

/** Extracts text, pages and headings of a PDF. @throws ExtractionError */
export async function extractPdf(bytes: Uint8Array, onPage?: OnPage): Promise<ExtractedDocument> {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(5, bytes.byteLength)).toString('latin1')
  if (head !== '%PDF-') throw new ExtractionError('malformed', 'The file is not a PDF.')
  refuseActivePdf(bytes)
  const document = await open(bytes)
  try {
    return await read(document, onPage)
  } catch (cause) {
    if (cause instanceof ExtractionError) throw cause
    throw new ExtractionError('malformed', 'The PDF is damaged.', { cause })
  } finally {
    await document.loadingTask.destroy()
  }
}

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  await loaded(getResolvedPDFJS())
  try {
    // pdf.js transfers the buffer, so it gets a copy. The options forbid evaluation of code.
    const options = { verbosity: 0, isEvalSupported: false, enableXfa: false, stopAtErrors: false }
    return await getDocumentProxy(bytes.slice(), options)
  } catch (cause) {
    const needsPassword = cause instanceof Error && cause.name === 'PasswordException'
    const message = needsPassword ? 'The PDF is protected by a password.' : 'The PDF is damaged.'
    throw new ExtractionError('malformed', message, { cause })
  }
}

async function read(document: PdfDocument, onPage?: OnPage): Promise<ExtractedDocument> {
  if (await document.getJSActions()) refuseScripts()
  const pages = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    await refuseActivePage(page)
    const { items } = await page.getTextContent()
    pages.push(blocksOf(rowsOf(items.filter((item) => 'str' in item))))
    page.cleanup()
    onPage?.(number, document.numPages)
  }
  const extracted = composeText(pages)
  if (extracted.text.trim() === '') throw new ExtractionError('no_text')
  return extracted
}

async function refuseActivePage(page: PdfPage): Promise<void> {
  if (Object.keys((await page.getJSActions()) ?? {}).length > 0) refuseScripts()
  const annotations: { actions?: object | null }[] = await page.getAnnotations()
  if (annotations.some(({ actions }) => actions && Object.keys(actions).length > 0)) refuseScripts()
}

function refuseScripts(): never {
  throw new ExtractionError('malicious', 'The PDF contains JavaScript, which is not accepted.')
}
