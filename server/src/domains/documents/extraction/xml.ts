import { ExtractionError } from './errors.ts'
import { decodeText } from './plain-text.ts'
import { TextWriter } from './text-writer.ts'
import type { ExtractedDocument } from './types.ts'
import { ValueOutline } from './value-outline.ts'
import { readXml } from './xml-events.ts'

/** Within which the encoding must be declared. */
const declarationBytes = 200

/**
 * The text of an XML file, "name (attribute=value): text" for each element on a line of its own; elements within
 * running text stay in it. The path to an element is its heading.
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

/** Names of the elements that hold both text and elements: what is in them is running text. */
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

/** Handles the second reading, which writes the text. */
class XmlWriter {
  readonly writer = new TextWriter()
  readonly outline = new ValueOutline()
  readonly #mixed: ReadonlySet<string>
  readonly #path: string[] = []
  /** Depth of the outermost open element of running text. */
  #runningFrom = Number.POSITIVE_INFINITY
  /** What stands before the text of the element that was opened last. */
  #label = ''
  #hasAttributes = false
  /** The path of what was written last, and the depth of the outermost element that was opened since. */
  #written: string[] = []
  #outermost = Number.POSITIVE_INFINITY

  constructor(mixed: ReadonlySet<string>) {
    this.#mixed = mixed
  }

  open({ name, attributes }: { name: string; attributes: Record<string, string> }): void {
    if (this.#path.length < this.#runningFrom) this.#writeAttributes(':')
    this.#path.push(name)
    if (this.#path.length > this.#runningFrom) return
    this.#outermost = Math.min(this.#outermost, this.#path.length)
    this.writer.breakLine()
    const given = Object.entries(attributes).filter(([key]) => !/^xmlns\b/.test(key))
    const list = given.map(([key, value]) => `${key}=${value}`).join(', ')
    this.#label = list === '' ? name : `${name} (${list})`
    this.#hasAttributes = list !== ''
    if (this.#mixed.has(name)) this.#runningFrom = this.#path.length
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
    if (depth <= this.#runningFrom) {
      this.#writeAttributes()
      this.#label = ''
      this.writer.breakLine()
    }
    if (depth === this.#runningFrom) this.#runningFrom = Number.POSITIVE_INFINITY
    this.#path.pop()
  }

  /** An element without text of its own is there for its attributes. */
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
