import { type JsonObject, textOf, toMessages } from '@cairn/contract/conversations'
import type { AttributeValue } from '../span.ts'
import { type Candidate, ofMessages, plain, type Side } from './candidate.ts'
import { elementsOf, type FlatAttribute } from './reader.ts'
import { parsedIfJson } from './values.ts'

/* Lists that were flattened into the names of attributes. */

/** The attributes of one element of a flattened list, which are marked as shown when they are read. */
class FlatElement {
  readonly shown: string[] = []
  readonly #attributes: readonly FlatAttribute[]

  constructor(attributes: readonly FlatAttribute[]) {
    this.#attributes = attributes
  }

  get(rest: string): AttributeValue | undefined {
    const found = this.#attributes.find((attribute) => attribute.rest === rest)
    if (found) this.shown.push(found.name)
    return found?.value
  }

  list(prefix: string): FlatElement[] {
    const start = `${prefix}.`
    const below = this.#attributes.filter(({ rest }) => rest.startsWith(start))
    const moved = below.map(({ name, rest, value }) => ({ name, rest: rest.slice(start.length), value }))
    return elementsOf(moved).map((element) => new FlatElement(element))
  }
}

/** A call of OpenInference (`tool_call.function.name`) or of OpenLLMetry (`name`). */
function flatCalls(element: FlatElement, prefix: string): JsonObject[] {
  return element.list(prefix).flatMap((call) => {
    const id = call.get('tool_call.id') ?? call.get('id')
    const name = call.get('tool_call.function.name') ?? call.get('name')
    if (typeof name !== 'string') return []
    const given = call.get('tool_call.function.arguments') ?? call.get('arguments')
    element.shown.push(...call.shown)
    return [{ type: 'tool_call', ...(typeof id === 'string' && { id }), name, arguments: given }]
  })
}

/** The parts of a message of OpenInference. */
function flatParts(element: FlatElement): JsonObject[] {
  return element.list('message.contents').flatMap((part): JsonObject[] => {
    const type = textOf(part.get('message_content.type'))
    const text = part.get('message_content.text')
    const url = part.get('message_content.image.image.url')
    if (typeof text !== 'string' && typeof url !== 'string') return []
    element.shown.push(...part.shown)
    if (typeof url === 'string') return [{ type: 'image_url', image_url: { url } }]
    return [{ type: type === undefined || type.endsWith('_text') ? 'text' : type, text }]
  })
}

function flatMessage(
  attributes: readonly FlatAttribute[],
  prefix: string,
  isOutput: boolean,
): Candidate | undefined {
  const element = new FlatElement(attributes)
  const role = textOf(element.get(`${prefix}role`)) ?? (isOutput ? 'assistant' : 'user')
  const content = element.get(`${prefix}content`)
  const parts = prefix === '' ? [] : flatParts(element)
  const calls = flatCalls(element, `${prefix}tool_calls`)
  const others = ['tool_call_id', 'name', 'finish_reason'].flatMap((field) => {
    const value = element.get(`${prefix}${field}`)
    return value === undefined ? [] : [[field, value] as const]
  })
  if (content === undefined && parts.length === 0 && calls.length === 0) return undefined
  // OpenLLMetry sends lists of parts as JSON.
  const given = parts.length > 0 ? parts : prefix === '' ? parsedIfJson(content) : content
  const { messages } = toMessages(role, given ?? null, { ...Object.fromEntries(others), tool_calls: calls })
  return ofMessages(messages, element.shown)
}

export function fromFlat(name: string, prefix: string, { reader, isOutput }: Side): Candidate | undefined {
  const elements = elementsOf(reader.below(name))
  const found = elements.flatMap((element) => flatMessage(element, prefix, isOutput) ?? [])
  return ofMessages(
    found.flatMap(({ messages }) => messages ?? []),
    found.flatMap(({ shown }) => shown),
  )
}

export function fromPrompts(name: string, { reader }: Side): Candidate | undefined {
  const elements = elementsOf(reader.below(name)).map((element) => new FlatElement(element))
  const texts = elements
    .map((element) => element.get('prompt.text'))
    .filter((text) => typeof text === 'string')
  if (texts.length === 0) return reader.get(name) === undefined ? undefined : plain(reader.get(name), [name])
  const shown = elements.flatMap((element) => element.shown)
  return texts.length === 1 ? plain(texts[0], shown, texts[0]) : plain(texts, shown)
}

export function fromDocuments(name: string, { reader }: Side): Candidate | undefined {
  const [documents, shown]: [JsonObject[], string[]] = [[], []]
  for (const attributes of elementsOf(reader.below(name))) {
    const element = new FlatElement(attributes)
    const fields = ['id', 'content', 'score', 'metadata'].flatMap((field) => {
      const value = element.get(`document.${field}`)
      if (value === undefined) return []
      return [[field, field === 'metadata' ? parsedIfJson(value) : value] as const]
    })
    if (fields.length > 0) documents.push(Object.fromEntries(fields))
    shown.push(...element.shown)
  }
  return documents.length === 0 ? undefined : plain(documents, shown)
}
