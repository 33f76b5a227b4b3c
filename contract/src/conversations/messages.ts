import { contentOf, type Part, type ToolCall } from './parts.ts'
import { asText, isObject, type JsonObject, textOf } from './values.ts'

/**
 * Messages have the form of chat APIs, because the dashboard, previews and scorers read it. `content` is a text or a list
 * of parts. An assistant's message may have `tool_calls`. Each result of a tool is its own message, with `tool_call_id`.
 */
export interface Message {
  role: string
  content: string | Part[] | null
  tool_calls?: ToolCall[]
  tool_call_id?: string
  [other: string]: unknown
}

export interface Conversation {
  messages: Message[]
  /** Whether the messages are everything that the value contains. */
  isWhole: boolean
}

const roles: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  model: 'assistant',
  HumanMessage: 'user',
  HumanMessageChunk: 'user',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  SystemMessage: 'system',
  SystemMessageChunk: 'system',
  ToolMessage: 'tool',
  ToolMessageChunk: 'tool',
  FunctionMessage: 'tool',
}

function roleOf(role: string): string {
  return Object.hasOwn(roles, role) ? (roles[role] as string) : role
}

/** A message with its other fields. The result of a tool in the message of an assistant becomes a message of its own. */
export function toMessages(role: string, given: unknown, others: JsonObject = {}): Conversation {
  const { tool_calls: sent, tool_call_id, ...rest } = others
  const { content, calls, results, isWhole } = contentOf(given)
  const more = contentOf(Array.isArray(sent) ? sent : [])
  const allCalls = [...calls, ...more.calls]
  const called = allCalls.length > 0 ? { tool_calls: allCalls } : {}
  const said = withUnknown(content, more.content)
  const id = tool_call_id === undefined ? {} : { tool_call_id: asText(tool_call_id) }
  const ofTools = results.map(({ id: call, name, text }): Message => {
    const of = { ...(call !== undefined && { tool_call_id: call }), ...(name !== undefined && { name }) }
    return { role: 'tool', ...of, content: text }
  })
  const keepsAll =
    isWhole && more.isWhole && more.content === (Array.isArray(sent) && sent.length > 0 ? null : '')
  if (ofTools.length === 0) {
    return { messages: [{ role, content: said, ...called, ...id, ...rest }], isWhole: keepsAll }
  }
  // The answer comes last, so that it is the last message of the conversation.
  const messages = [
    ...(allCalls.length > 0 ? [{ role, content: null, ...called }] : []),
    ...ofTools,
    ...(said === null ? [] : [{ role, content: said, ...id, ...rest }]),
  ]
  return { messages, isWhole: keepsAll && (said !== null || Object.keys(rest).length === 0) }
}

/** Tool calls of an unknown form become parts of the message. */
function withUnknown(content: Message['content'], unknown: Message['content']): Message['content'] {
  if (!Array.isArray(unknown)) return content
  const parts =
    typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : content
  return [...(parts ?? []), ...unknown]
}

/** Messages in the form of LangChain: serialised objects, or dictionaries with a type. */
function fromLangChain(value: JsonObject): Conversation | undefined {
  const { lc, id, kwargs, type, data } = value
  const name = lc === 1 && Array.isArray(id) ? textOf(id.at(-1)) : textOf(type)
  if (name === undefined || value.role !== undefined) return undefined
  const fields = [kwargs, data].find(isObject) ?? value
  const role = name === 'ChatMessage' ? textOf(fields.role) : name
  const isMessage = role !== undefined && (Object.hasOwn(roles, role) || ['system', 'tool'].includes(role))
  if (!isMessage || fields.content === undefined) return undefined
  const more = isObject(fields.additional_kwargs) ? fields.additional_kwargs.tool_calls : undefined
  const calls = Array.isArray(fields.tool_calls) && fields.tool_calls.length > 0 ? fields.tool_calls : more
  const { tool_call_id, name: of } = fields
  const { messages } = toMessages(roleOf(role), fields.content, {
    ...(Array.isArray(calls) && { tool_calls: calls }),
    ...(tool_call_id !== undefined && { tool_call_id }),
    ...(typeof of === 'string' && { name: of }),
  })
  return { messages, isWhole: false }
}

/** Items of OpenAI's Responses API that are no messages. */
function fromResponseItem({
  type,
  call_id,
  name,
  arguments: given,
  output,
}: JsonObject): Conversation | undefined {
  if (type === 'function_call') {
    const { messages } = toMessages('assistant', null, {
      tool_calls: [{ id: call_id, name, arguments: given }],
    })
    return { messages, isWhole: false }
  }
  if (type !== 'function_call_output') return undefined
  return {
    messages: [{ role: 'tool', tool_call_id: asText(call_id), content: asText(output) }],
    isWhole: false,
  }
}

function fromRole({ role, content, parts, ...others }: JsonObject): Conversation | undefined {
  if (typeof role !== 'string') return undefined
  if (content === undefined && parts === undefined && !Array.isArray(others.tool_calls)) return undefined
  return toMessages(roleOf(role), content ?? parts, others)
}

/** One message of any API. */
function fromMessage(value: unknown): Conversation | undefined {
  return isObject(value) ? (fromRole(value) ?? fromResponseItem(value) ?? fromLangChain(value)) : undefined
}

function fromList(given: readonly unknown[]): Conversation | undefined {
  // LangChain passes a list of conversations.
  const list = given.length === 1 && Array.isArray(given[0]) ? (given[0] as unknown[]) : given
  const found = list.map(fromMessage)
  if (list.length === 0 || found.some((one) => one === undefined)) return undefined
  return {
    messages: found.flatMap((one) => one?.messages ?? []),
    isWhole: found.every((one) => one?.isWhole),
  }
}

/** Fields of requests and responses that contain the messages. */
function listsIn(value: JsonObject): unknown {
  const { messages, choices, message, generations, output, input, candidates, contents } = value
  if (Array.isArray(messages)) return messages
  if (Array.isArray(choices)) return choices.map((choice) => (isObject(choice) ? choice.message : undefined))
  if (isObject(message)) return [message]
  if (Array.isArray(generations)) {
    return generations
      .flat()
      .map((one) => (isObject(one) ? (one.message ?? textMessage(one.text)) : undefined))
  }
  if (Array.isArray(candidates)) return candidates.map((one) => (isObject(one) ? one.content : undefined))
  if (Array.isArray(contents)) return contents
  if (Array.isArray(output)) return output.filter((item) => !isObject(item) || item.type !== 'reasoning')
  return Array.isArray(input) ? input : undefined
}

function textMessage(text: unknown): JsonObject | undefined {
  return typeof text === 'string' ? { role: 'assistant', content: text } : undefined
}

/** Some APIs have a field for the system prompt, and accept a text instead of messages. */
function promptIn({ system, instructions, prompt, input, model }: JsonObject): Message[] {
  const first = textOf(system) ?? textOf(instructions)
  const asked = textOf(prompt) ?? (model === undefined ? undefined : textOf(input))
  return [
    ...(first === undefined ? [] : [{ role: 'system', content: first }]),
    ...(asked === undefined ? [] : [{ role: 'user', content: asked }]),
  ]
}

/** The messages in a value: a list of messages, one message, or a request or response of a model API. */
export function conversationIn(value: unknown): Conversation | undefined {
  if (Array.isArray(value)) return fromList(value)
  if (!isObject(value)) return undefined
  const single = fromMessage(value)
  if (single) return single
  const inLists = listsIn(value)
  const listed = Array.isArray(inLists) ? fromList(inLists) : undefined
  const messages = [...promptIn(value), ...(listed?.messages ?? [])]
  if (messages.length === 0 || (inLists !== undefined && !listed)) return undefined
  // A system prompt alone is no conversation.
  if (!listed && messages.every(({ role }) => role === 'system')) return undefined
  return { messages, isWhole: false }
}

/** The text of a message. */
export function textOfMessage({ content }: Message): string {
  if (typeof content === 'string') return content
  const texts = (content ?? []).flatMap((part) => (part.type === 'text' ? [asText(part.text)] : []))
  return texts.join('\n')
}
