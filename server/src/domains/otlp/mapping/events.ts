import {
  conversationIn,
  isObject,
  type JsonObject,
  type Message,
  textOf,
  toMessages,
} from '@cairn/contract/conversations'
import { type Candidate, mayConverse, ofMessages, type Side } from './candidate.ts'
import { objectIn, parsedIfJson } from './values.ts'

/* Messages in events, as OpenTelemetry's first generation has them. */

/** The role in the name of an event of OpenTelemetry's first generation. */
const eventRole = /^gen_ai\.(system|user|assistant|tool)\.message$/

/** A message in an event, which has it in attributes, or in one attribute with the whole message as JSON. */
function messagesOfEvent(name: string, given: JsonObject, isOutput: boolean): Message[] {
  const fields = { ...given, ...objectIn(given['gen_ai.event.content']) }
  const isChoice = name === 'gen_ai.choice' || name === 'gen_ai.content.completion'
  if (isChoice !== isOutput) return []
  const [, role] = eventRole.exec(name) ?? []
  if (role === undefined && !isChoice && name !== 'gen_ai.content.prompt') return []
  const message = objectIn(fields.message) ?? {}
  const content = message.content ?? fields.content ?? fields['gen_ai.prompt'] ?? fields['gen_ai.completion']
  const calls = parsedIfJson(message.tool_calls ?? fields.tool_calls)
  const said = content ?? (typeof fields.message === 'string' ? fields.message : undefined)
  const value = parsedIfJson(said)
  const inContent = conversationIn(value)
  if (inContent) return inContent.messages
  if (value === undefined && !Array.isArray(calls)) return []
  const { messages } = toMessages(
    textOf(fields.role) ?? role ?? (isOutput ? 'assistant' : 'user'),
    value ?? null,
    {
      ...(Array.isArray(calls) && { tool_calls: calls }),
      ...(role === 'tool' && textOf(fields.id) !== undefined && { tool_call_id: fields.id }),
    },
  )
  return messages
}
/** A JSON list of events in an attribute. */
export function fromEventList(name: string, { reader, isOutput }: Side): Candidate | undefined {
  const list = parsedIfJson(reader.get(name))
  if (!Array.isArray(list)) return undefined
  const events = list.filter(isObject)
  const messages = events.flatMap((event) =>
    messagesOfEvent(textOf(event['event.name']) ?? textOf(event.name) ?? '', event, isOutput),
  )
  return ofMessages(messages, [])
}

/** The messages in the events of a span. The events stay events, too. */
export function fromEvents({ events, isOutput, kind }: Side): Candidate | undefined {
  const name = isOutput ? 'gen_ai.output.messages' : 'gen_ai.input.messages'
  const details = events.find(({ attributes }) => attributes[name] !== undefined)
  const found = mayConverse(kind) ? conversationIn(parsedIfJson(details?.attributes[name])) : undefined
  const system = parsedIfJson(details?.attributes['gen_ai.system_instructions'])
  if (found && !isOutput && system !== undefined && found.messages.every(({ role }) => role !== 'system')) {
    return ofMessages([...toMessages('system', system).messages, ...found.messages], [])
  }
  if (found) return ofMessages(found.messages, [])
  const messages = events.flatMap((event) => messagesOfEvent(event.name, event.attributes, isOutput))
  return ofMessages(messages, [])
}
