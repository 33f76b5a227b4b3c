import type { CodeExtension } from '@cairn/contract'
import { loaded } from './errors.ts'
import { markdownHeadings } from './markdown.ts'
import { decodeText } from './plain-text.ts'
import type { OnPage } from './progress.ts'
import type { Extension, ExtractedDocument } from './types.ts'

export { ExtractionError, type ExtractionReason } from './errors.ts'
export type { Extension, ExtractedDocument } from './types.ts'

type Reader<E extends Extension> = (
  bytes: Uint8Array,
  extension: E,
  onPage?: OnPage,
) => ExtractedDocument | Promise<ExtractedDocument>

/** Parsers are large, especially pdf.js, so each is loaded for the first file that needs it. */
const readers: { [E in Extension]: Reader<E> } = {
  pdf: async (bytes, _, onPage) => (await loaded(import('./pdf.ts'))).extractPdf(bytes, onPage),
  docx: async (bytes) => (await loaded(import('./docx.ts'))).extractDocx(bytes),
  txt: (bytes) => ({ text: decodeText(bytes), pages: [], headings: [] }),
  md: (bytes) => {
    const text = decodeText(bytes)
    return { text, pages: [], headings: markdownHeadings(text) }
  },
  html: async (bytes) => (await loaded(import('./html.ts'))).extractHtml(bytes),
  xml: async (bytes) => (await loaded(import('./xml.ts'))).extractXml(bytes),
  csv: async (bytes) => (await loaded(import('./csv.ts'))).extractCsv(bytes),
  json: async (bytes) => (await loaded(import('./json.ts'))).extractJson(bytes),
  yaml,
  yml: yaml,
  js: code,
  ts: code,
  py: code,
  java: code,
  c: code,
  cpp: code,
  h: code,
  cs: code,
  php: code,
  rb: code,
  sh: code,
  bat: code,
  ps1: code,
}

async function yaml(bytes: Uint8Array): Promise<ExtractedDocument> {
  return (await loaded(import('./yaml.ts'))).extractYaml(bytes)
}

async function code(bytes: Uint8Array, extension: CodeExtension): Promise<ExtractedDocument> {
  return (await loaded(import('./code.ts'))).extractCode(bytes, extension)
}

/**
 * Extracts the text of a file, its pages (PDF), its headings (or function names, column names, paths to values), and
 * positions where chunks may begin. The text of plain text, Markdown, code, CSV, JSON and YAML equals the decoded file,
 * so ranges of the text are ranges of the file.
 *
 * Runs in the calling thread without limits; use the pool for untrusted files.
 *
 * @throws ExtractionError with the reason
 */
export async function extractText<E extends Extension>(
  bytes: Uint8Array,
  extension: E,
  onPage?: OnPage,
): Promise<ExtractedDocument> {
  return readers[extension](bytes, extension, onPage)
}
