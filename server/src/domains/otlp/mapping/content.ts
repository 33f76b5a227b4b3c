import { isDeepStrictEqual } from 'node:util'
import { conversationIn, type Message, textOf, toMessages } from '@cairn/contract/conversations'
import type { AttributeValue } from '../span.ts'
import { type Candidate, type Content, mayConverse, ofMessages, plain, type Side } from './candidate.ts'
import { fromEventList, fromEvents } from './events.ts'
import { fromDocuments, fromFlat, fromPrompts } from './flat.ts'
import type { AttributeReader } from './reader.ts'
import { mediaTypes, type Source } from './table.ts'
import { objectIn, parsedIfJson, parseJson } from './values.ts'

function fromValue(
  name: string,
  isEncoded: boolean,
  { reader, kind, isOutput }: Side,
): Candidate | undefined {
  const given = reader.get(name)
  if (given === undefined || given === null || given === '') return undefined
  const mediaName = mediaTypes[name]
  const isText = mediaName !== undefined && reader.get(mediaName) === 'text/plain'
  const shown = mediaName === undefined ? [name] : [name, mediaName]
  if (isText) return plain(given, shown, textOf(given))
  const parsed = isEncoded ? decoded(given) : parsedIfJson(given)
  const found = mayConverse(kind) ? conversationIn(parsed) : undefined
  if (!found) return plain(parsed, shown, textOf(isEncoded ? parsed : given))
  const system = isOutput ? [] : systemMessages(reader, found.messages)
  return ofMessages(
    [...system.map(({ message }) => message), ...found.messages],
    [...(found.isWhole ? shown : []), ...system.flatMap(({ name: shownName }) => shownName)],
  )
}

/** A value that is always JSON, or a list of such values. */
function decoded(given: AttributeValue): unknown {
  if (typeof given === 'string') return parseJson(given) ?? given
  return Array.isArray(given) ? given.map(decoded) : given
}

/** The system prompt that OpenTelemetry keeps apart from the messages. */
function systemMessages(reader: AttributeReader, messages: readonly Message[]) {
  const name = 'gen_ai.system_instructions'
  const given = reader.get(name)
  if (given === undefined || messages.some(({ role }) => role === 'system')) return []
  const { messages: made, isWhole } = toMessages('system', parsedIfJson(given))
  return made.slice(0, 1).map((message) => ({ message, name: isWhole ? [name] : [] }))
}

/** All messages of an agent's run: the last one is the answer. */
function fromHistory(name: string, { reader, isOutput }: Side): Candidate | undefined {
  const messages = conversationIn(parsedIfJson(reader.get(name)))?.messages ?? []
  const last = messages.at(-1)
  const hasAnswer = last?.role === 'assistant' && last.tool_calls === undefined
  const end = hasAnswer ? messages.length - 1 : messages.length
  return ofMessages(isOutput ? messages.slice(end) : messages.slice(0, end), [])
}

/** The answer of the AI SDK: text, reasoning and tool calls, or an object. */
function fromResponse(name: string, { reader }: Side): Candidate | undefined {
  const at = (field: string) => reader.get(`${name}.${field}`)
  const [text, reasoning] = [textOf(at('text')), textOf(at('reasoning'))]
  const calls = parsedIfJson(at('toolCalls'))
  if (text === undefined && !Array.isArray(calls)) {
    const object = at('object')
    return object === undefined ? undefined : plain(parsedIfJson(object), [`${name}.object`])
  }
  const content = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning }]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
  ]
  const { messages, isWhole } = toMessages(
    'assistant',
    content,
    Array.isArray(calls) ? { tool_calls: calls } : {},
  )
  const shown = ['text', 'reasoning', ...(isWhole ? ['toolCalls'] : [])]
  return ofMessages(
    messages,
    shown.filter((field) => at(field) !== undefined).map((field) => `${name}.${field}`),
  )
}

/** The answer of a model or agent of Mastra. */
function fromAnswer(name: string, { reader, kind }: Side): Candidate | undefined {
  const { text, toolCalls, ...others } = objectIn(reader.get(name)) ?? {}
  if (!mayConverse(kind) || typeof text !== 'string') return undefined
  const calls = Array.isArray(toolCalls) ? { tool_calls: toolCalls } : {}
  const { messages, isWhole } = toMessages('assistant', text, calls)
  return ofMessages(messages, isWhole && Object.keys(others).length === 0 ? [name] : [])
}

function read([name, form]: Source, side: Side): Candidate | undefined {
  switch (form) {
    case 'messages':
      return fromFlat(name, 'message.', side)
    case 'turns':
      return fromFlat(name, '', side)
    case 'prompts':
      return fromPrompts(name, side)
    case 'documents':
      return fromDocuments(name, side)
    case 'answer':
      return fromAnswer(name, side) ?? fromValue(name, false, side)
    case 'response':
      return fromResponse(name, side)
    case 'events':
      return fromEventList(name, side)
    case 'history':
      return fromHistory(name, side)
    default:
      return fromValue(name, form === 'json', side)
  }
}

function withType(source: Source, { reader }: Side): Source {
  const [name, form] = source
  return name.includes('{type}')
    ? [name.replace('{type}', textOf(reader.get('mastra.span.type')) ?? ''), form]
    : source
}

/**
 * The input or output of a span: the first source with messages, or else the first source. All sources with the same value
 * are shown by it.
 */
export function readContent(sources: readonly Source[], side: Side): Content | undefined {
  const candidates: Candidate[] = []
  for (const source of sources) {
    const found = read(withType(source, side), side)
    if (found) candidates.push(found)
  }
  const ofEvents = side.events.length > 0 ? fromEvents(side) : undefined
  if (ofEvents) candidates.push(ofEvents)
  const chosen = candidates.find(({ messages }) => messages) ?? candidates[0]
  if (!chosen) return undefined
  for (const one of candidates) {
    if (one === chosen || isDeepStrictEqual(one.value, chosen.value)) side.reader.show(one.shown)
  }
  return chosen
}
