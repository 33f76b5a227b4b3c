import { DocxReader } from './docx-reader.ts'
import { headingLevels } from './docx-styles.ts'
import { ExtractionError } from './errors.ts'
import { contradiction, pdfMargin } from './plain-text.ts'
import type { ExtractedDocument } from './types.ts'
import { readXml } from './xml-events.ts'
import { openZip, type Zip } from './zip.ts'

/** Signature of a compound file: encrypted Word documents and old .doc files have this format. */
const compoundFile = 'd0cf11e0a1b11ae1'
const mainPart =
  /^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.(?:document|template)\.main\+xml$/

/**
 * Extracts text and headings of a Word document. Links are not followed.
 *
 * @throws ExtractionError
 */
export async function extractDocx(bytes: Uint8Array): Promise<ExtractedDocument> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  refuseOtherFormats(file)
  const zip = await openZip(file)
  const part = await findMainPart(zip)
  const folder = part.replace(/[^/]*$/, '')
  const styles = await zip.read(`${folder}styles.xml`)
  const reader = new DocxReader(styles === undefined ? new Map() : headingLevels(styles))
  for (const name of [part, `${folder}footnotes.xml`, `${folder}endnotes.xml`]) {
    const xml = await zip.read(name)
    if (xml !== undefined) readXml(xml, 'The Word document', reader)
  }
  const { text, headings } = reader.writer
  if (text.trim() === '') throw new ExtractionError('no_text')
  return { text, pages: [], headings }
}

function refuseOtherFormats(file: Buffer): void {
  if (file.toString('hex', 0, 8) === compoundFile) {
    throw new ExtractionError(
      'malformed',
      'The file is protected by a password or has the old .doc format; save it as .docx without a password.',
    )
  }
  const head = file.toString('latin1', 0, pdfMargin)
  if (/%PDF-\d/.test(head)) throw contradiction()
  if (!head.startsWith('PK\x03\x04'))
    throw new ExtractionError('malformed', 'The file is not a Word document.')
}

/** Finds the path of the main document part by its content type. */
async function findMainPart(zip: Zip): Promise<string> {
  const types = await zip.read('[Content_Types].xml')
  if (types === undefined) throw new ExtractionError('malformed', 'The file is not a Word document.')
  const parts: { path: string; type: string }[] = []
  readXml(types, 'The Word document', {
    open({ name, attributes: { PartName: path = '', ContentType: type = '' } }) {
      if (/(?:^|:)(?:Override|Default)$/.test(name)) parts.push({ path: path.replace(/^\//, ''), type })
    },
    close() {},
    text() {},
  })
  const hasMacros = parts.some(({ type }) => /macroEnabled|vbaProject/i.test(type))
  if (hasMacros || zip.names.some((name) => /(?:^|\/)vba(?:Project\.bin|Data\.xml)$/i.test(name))) {
    throw new ExtractionError('malicious', 'The Word document contains macros, which are not accepted.')
  }
  const main = parts.find(({ type }) => mainPart.test(type))?.path
  if (!main || !zip.names.includes(main)) {
    throw new ExtractionError('malformed', 'The file is not a Word document.')
  }
  return main
}
