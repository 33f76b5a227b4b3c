import { EVENT_ID, type Event, getScalarValue, parseEvents, YAMLException } from 'js-yaml'
import { ExtractionError } from './errors.ts'
import { maxDepth, tooDeep } from './nesting.ts'
import { decodeText } from './plain-text.ts'
import type { ExtractedDocument } from './types.ts'
import { ValueOutline } from './value-outline.ts'

/** Maximum number of values that all aliases of a file together stand for; more is an alias bomb. */
const maxAliasedValues = 1_000_000

/**
 * Returns a YAML file unchanged, which may have several documents; the keys and indices of the path to a value are its
 * headings. Aliases are counted but never expanded.
 *
 * @throws ExtractionError
 */
export function extractYaml(bytes: Uint8Array): ExtractedDocument {
  const text = decodeText(bytes)
  const walker = new YamlWalker(text)
  for (const event of parse(text)) walker.visit(event)
  const { headings, breaks } = walker.outline
  return { text, pages: [], headings, breaks }
}

function parse(text: string): Event[] {
  try {
    return parseEvents(text, { maxDepth })
  } catch (cause) {
    if (!(cause instanceof YAMLException)) throw cause
    if (cause.reason.includes('maxDepth')) throw tooDeep(cause)
    const where = cause.mark ? ` in line ${cause.mark.line + 1}` : ''
    throw new ExtractionError('malformed', `The YAML is malformed${where}.`, { cause })
  }
}

type Node = Extract<Event, { anchorStart: number }>
/** Offsets of a node in the text; -1 for a missing anchor, tag or value. */
type Offsets = Partial<Record<'anchorStart' | 'tagStart' | 'start' | 'valueStart', number>>

/** An open document or collection. */
interface Frame {
  kind: Event['type']
  anchor: string | undefined
  /** Number of values in it, including the values that its aliases stand for. */
  values: number
  /** Number of nodes so far; in a mapping, keys and values alternate. */
  nodes: number
}

class YamlWalker {
  readonly outline = new ValueOutline()
  readonly #text: string
  readonly #open: Frame[] = []
  /** Number of values that each anchor of the current document stands for. */
  #anchors = new Map<string, number>()
  #aliased = 0
  #last = 0

  constructor(text: string) {
    this.#text = text
  }

  visit(event: Event): void {
    if (event.type === EVENT_ID.POP) this.#close()
    else if (event.type === EVENT_ID.DOCUMENT) {
      this.#anchors = new Map()
      this.#open.push({ kind: event.type, anchor: undefined, values: 0, nodes: 0 })
    } else this.#visitNode(event)
  }

  #visitNode(event: Node): void {
    this.#addToOutline(event)
    const name = this.#nameOf(event)
    if (event.type === EVENT_ID.ALIAS) this.#addValues(this.#resolve(name))
    else if (event.type === EVENT_ID.SCALAR) {
      if (name !== undefined) this.#anchors.set(name, 1)
      this.#addValues(1)
    } else {
      // Set before its content: an alias inside the collection may refer to it, and then adds no values.
      if (name !== undefined) this.#anchors.set(name, 0)
      this.#open.push({ kind: event.type, anchor: name, values: 1, nodes: 0 })
    }
  }

  #close(): void {
    const frame = this.#open.pop()
    if (!frame) return
    if (frame.anchor !== undefined) this.#anchors.set(frame.anchor, frame.values)
    this.#addValues(frame.values)
  }

  #addValues(values: number): void {
    const parent = this.#open.at(-1)
    if (parent) parent.values += values
  }

  #resolve(name: string | undefined): number {
    const values = this.#anchors.get(name ?? '')
    if (values === undefined)
      throw new ExtractionError('malformed', 'The YAML uses an alias without an anchor.')
    this.#aliased += values
    if (this.#aliased > maxAliasedValues) {
      throw new ExtractionError('malicious', 'The YAML unpacks to far more data than it should.')
    }
    return values
  }

  #nameOf({ anchorStart, anchorEnd }: Node): string | undefined {
    return anchorStart < 0 ? undefined : this.#text.slice(anchorStart, anchorEnd)
  }

  #addToOutline(event: Node): void {
    const parent = this.#open.at(-1)
    if (!parent || parent.kind === EVENT_ID.DOCUMENT) return
    const place = parent.nodes++
    const depth = this.#open.length - 1
    const isScalar = event.type === EVENT_ID.SCALAR || event.type === EVENT_ID.ALIAS
    if (parent.kind === EVENT_ID.SEQUENCE) {
      this.outline.addElement(this.#startOf(event, '-'), depth, place, isScalar)
    } else if (place % 2 === 0 && event.type === EVENT_ID.SCALAR) {
      this.outline.addKey(this.#startOf(event, '?'), depth, getScalarValue(this.#text, event))
    }
  }

  /** Start of a node, including its tag, anchor, quote and the mark of its entry (`-` or `?`). */
  #startOf({ anchorStart = -1, tagStart = -1, start = -1, valueStart = -1 }: Offsets, mark: string): number {
    const starts = [anchorStart, tagStart, start, valueStart].filter((offset) => offset >= 0)
    // An empty value has no offset.
    let at = starts.length === 0 ? this.#last : Math.min(...starts)
    if (/["'*&]/.test(this.#text.charAt(at - 1))) at--
    const before = /[-?]\s{1,200}$/.exec(this.#text.slice(Math.max(this.#last, at - 201), at))
    if (before?.[0].startsWith(mark)) at -= before[0].length
    this.#last = Math.max(this.#last, at)
    return this.#last
  }
}
