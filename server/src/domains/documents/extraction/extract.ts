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

/** Parsers are heavy, pdf.js above all: each is loaded with the first file that needs it. */
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
 * Takes the text out of a file, with its pages (PDF), its headings (or what stands for them: names of functions, of
 * columns, the path to a value), and where chunks may begin.
 * Text, Markdown, code and data come out exactly as they are in the file, so that a range of the text is a range of it.
 *
 * Runs in the calling thread without a limit: use the pool for files of others.
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
