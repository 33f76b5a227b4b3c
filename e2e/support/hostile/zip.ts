import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a ZIP archive, whose headers can be false. */
export interface ZipEntry {
  name: string
  content: string | Uint8Array
  /** Sizes in the headers; by default the real ones. */
  unpackedBytes?: number
  packedBytes?: number
  flags?: number
  method?: number
  /** Offset of the entry in the directory; by default the real one. */
  offset?: number
}

export interface ZipEnd {
  entries?: number
  directoryBytes?: number
  directoryOffset?: number
  comment?: string
}

/** A ZIP archive of compressed entries, valid except for the given fields. */
export function zipOf(entries: readonly ZipEntry[], end: ZipEnd = {}): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, flags = 0, method = 8, ...claims } of entries) {
    const bytes = Buffer.from(content as string)
    // The fastest level: some entries have 150 MB.
    const packed = method === 8 ? deflateRawSync(bytes, { level: 1 }) : bytes
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(0x800 | flags, 2)
    header.writeUInt16LE(method, 4)
    header.writeUInt32LE(crc32(bytes), 10)
    header.writeUInt32LE(claims.packedBytes ?? packed.length, 14)
    header.writeUInt32LE(claims.unpackedBytes ?? bytes.length, 18)
    header.writeUInt16LE(Buffer.byteLength(name), 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(claims.offset ?? at, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), header, tail, Buffer.from(name)]))
    bodies.push(Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name), packed]))
    at += bodies.at(-1)?.length ?? 0
  }
  const listing = Buffer.concat(directory)
  const last = Buffer.alloc(18)
  last.writeUInt16LE(end.entries ?? entries.length, 4)
  last.writeUInt16LE(end.entries ?? entries.length, 6)
  last.writeUInt32LE(end.directoryBytes ?? listing.length, 8)
  last.writeUInt32LE(end.directoryOffset ?? at, 12)
  const comment = Buffer.from(end.comment ?? '')
  last.writeUInt16LE(comment.length, 16)
  return Buffer.concat([...bodies, listing, Buffer.from('PK\x05\x06'), last, comment])
}

const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

/** Entries of a Word document with this body. */
export function wordEntries(body: string): [types: ZipEntry, document: ZipEntry] {
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
  return [
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`,
    },
    {
      name: 'word/document.xml',
      content: `<w:document ${namespace}><w:body>${body}</w:body></w:document>`,
    },
  ]
}

export function paragraphOf(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
}
