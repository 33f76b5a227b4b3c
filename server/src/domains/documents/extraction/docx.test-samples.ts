/** Minimal Word documents for tests, each with one feature. */

import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a ZIP archive; `declared` is the unpacked size in the archive's directory, by default the real size. */
export interface SampleEntry {
  name: string
  content: string | Uint8Array
  declared?: number
  flags?: number
}

/** A ZIP archive of compressed entries. */
export function sampleZip(entries: readonly SampleEntry[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, declared, flags = 0 } of entries) {
    const data = Buffer.from(content as Uint8Array)
    const packed = deflateRawSync(data)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(0x800 | flags, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(data), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(declared ?? data.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, tail, Buffer.from(name)]),
    )
    bodies.push(local)
    offset += local.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(listing.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, listing, Buffer.from('PK\x05\x06'), end])
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
export const documentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'

export function contentTypes(type: string = documentType): SampleEntry {
  const content = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
    <Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`
  return { name: '[Content_Types].xml', content }
}

export function documentPart(body: string): SampleEntry {
  return { name: 'word/document.xml', content: `<w:document ${word}><w:body>${body}</w:body></w:document>` }
}

const stylesPart: SampleEntry = {
  name: 'word/styles.xml',
  content: `<w:styles ${word}>
    <w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>
    <w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
    <w:style w:styleId="Own"><w:name w:val="My own"/><w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
    <w:style w:styleId="Derived"><w:name w:val="Derived"/><w:basedOn w:val="Own"/></w:style>
    <w:style w:styleId="Round"><w:name w:val="Round"/><w:basedOn w:val="Round"/></w:style>
  </w:styles>`,
}

/** A paragraph, optionally with a style id. */
export function paragraph(text: string, style?: string): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
}

/** A Word document with a body, styles and further archive entries. */
export function sampleDocx(body: string, more: readonly SampleEntry[] = []): Buffer {
  return sampleZip([contentTypes(), documentPart(body), stylesPart, ...more])
}
