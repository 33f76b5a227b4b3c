import { ExtractionError } from './errors.ts'
import { decodeText } from './plain-text.ts'
import { TextWriter } from './text-writer.ts'
import type { ExtractedDocument } from './types.ts'
import { ValueOutline } from './value-outline.ts'
import { readXml } from './xml-events.ts'

/** Number of first bytes that are searched for the encoding declaration. */
const declarationBytes = 200

/**
 * Extracts the text of an XML file, one line "name (attribute=value): text" per element. An element inside mixed
 * content (text with elements) does not begin a line. The path to an element is its heading.
 *
 * @throws ExtractionError
 */
export function extractXml(bytes: Uint8Array): ExtractedDocument {
  const xml = decodeText(bytes, declaredEncoding(bytes))
  const writer = new XmlWriter(findMixed(xml))
  readXml(xml, 'The XML', writer)
  const { text } = writer.writer
  if (text.trim() === '') throw new ExtractionError('empty')
  const { headings, breaks } = writer.outline
  return { text, pages: [], headings, breaks }
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(declarationBytes, bytes.byteLength))
  return /^<\?xml\b[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i.exec(head.toString('latin1'))?.[1]
}

/** Names of the elements with mixed content: both text and elements. */
function findMixed(xml: string): Set<string> {
  const mixed = new Set<string>()
  const open: { name: string; hasText: boolean; hasElement: boolean }[] = []
  readXml(xml, 'The XML', {
    open({ name }) {
      const parent = open.at(-1)
      if (parent) parent.hasElement = true
      open.push({ name, hasText: false, hasElement: false })
    },
    close() {
      const { name, hasText, hasElement } = open.pop() ?? { name: '' }
      if (hasText && hasElement) mixed.add(name)
    },
    text(text) {
      const parent = open.at(-1)
      if (parent && text.trim() !== '') parent.hasText = true
    },
  })
  return mixed
}

/** Writes the text in the second pass over the file. */
class XmlWriter {
  readonly writer = new TextWriter()
  readonly outline = new ValueOutline()
  readonly #mixed: ReadonlySet<string>
  readonly #path: string[] = []
  /** Depth of the outermost open element with mixed content. */
  #mixedFrom = Number.POSITIVE_INFINITY
  /** Name and attributes of the last opened element; '' when they are written. */
  #label = ''
  #hasAttributes = false
  /** Path of the last written element, and the smallest depth of the elements opened since. */
  #written: string[] = []
  #outermost = Number.POSITIVE_INFINITY

  constructor(mixed: ReadonlySet<string>) {
    this.#mixed = mixed
  }

  open({ name, attributes }: { name: string; attributes: Record<string, string> }): void {
    if (this.#path.length < this.#mixedFrom) this.#writeAttributes(':')
    this.#path.push(name)
    if (this.#path.length > this.#mixedFrom) return
    this.#outermost = Math.min(this.#outermost, this.#path.length)
    this.writer.breakLine()
    const given = Object.entries(attributes).filter(([key]) => !/^xmlns\b/.test(key))
    const list = given.map(([key, value]) => `${key}=${value}`).join(', ')
    this.#label = list === '' ? name : `${name} (${list})`
    this.#hasAttributes = list !== ''
    if (this.#mixed.has(name)) this.#mixedFrom = this.#path.length
  }

  text(text: string): void {
    if (text.trim() === '') {
      if (this.#label === '') this.writer.write(text)
      return
    }
    if (this.#label !== '') this.#begin(`${this.#label}: `)
    this.writer.write(text)
  }

  close(): void {
    const depth = this.#path.length
    if (depth <= this.#mixedFrom) {
      this.#writeAttributes()
      this.#label = ''
      this.writer.breakLine()
    }
    if (depth === this.#mixedFrom) this.#mixedFrom = Number.POSITIVE_INFINITY
    this.#path.pop()
  }

  /** Writes the label of an element without text if it has attributes. */
  #writeAttributes(end = ''): void {
    if (this.#label !== '' && this.#hasAttributes) this.#begin(`${this.#label}${end}`)
  }

  #begin(label: string): void {
    const start = this.writer.next
    const depth = this.#path.length
    const same = this.#path.findIndex((name, index) => name !== this.#written[index])
    if (same >= 0 || depth !== this.#written.length) {
      const from = same < 0 ? depth - 1 : same
      for (const [index, title] of this.#path.entries()) {
        if (index >= from) this.outline.headings.push({ start, level: index + 1, title })
      }
    }
    this.outline.addBreak(start, this.#outermost)
    this.#written = [...this.#path]
    this.#outermost = Number.POSITIVE_INFINITY
    this.#label = ''
    this.writer.write(label)
  }
}
