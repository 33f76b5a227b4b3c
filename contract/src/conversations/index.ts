/*
 * Inputs and outputs of traces are text. Often the text is a conversation in JSON, in the format of a model API.
 */

import { isObject, type JsonObject } from './values.ts'

export { conversationIn, type Message as ChatMessage, textOfMessage, toMessages } from './messages.ts'
export type { Part, ToolCall } from './parts.ts'
export { asText, isObject, type JsonObject, textOf } from './values.ts'

/** One message of a conversation that a trace carries as JSON. */
export interface Message {
  role: string
  /** The text parts of the message, joined. */
  text: string
  /** Tool calls and all other parts that are not text. */
  others: unknown[]
}

/** Parses a text that is a JSON object or list. Returns undefined for plain text and for single JSON values. */
export function parseJson(text: string): JsonObject | unknown[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as JsonObject | unknown[]
  } catch {
    return undefined
  }
}

function toMessage(value: unknown): Message | undefined {
  if (!isObject(value) || typeof value.role !== 'string') return undefined
  const { role, content, tool_calls: calls } = value
  const parts = [content ?? []].flat()
  const texts = parts.flatMap((part) => textOfPart(part) ?? [])
  const others = parts.filter((part) => textOfPart(part) === undefined)
  return { role, text: texts.join('\n'), others: [...others, ...(Array.isArray(calls) ? calls : [])] }
}

function textOfPart(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  return isObject(part) && typeof part.text === 'string' ? part.text : undefined
}

/** The messages of a request or response in the formats of the common APIs; undefined if there are none. */
export function messagesOf(json: unknown): Message[] | undefined {
  const list = listIn(json)
  if (!list || list.length === 0) return undefined
  const messages = list.map(toMessage)
  return messages.every((message) => message !== undefined) ? messages : undefined
}

function listIn(json: unknown): unknown[] | undefined {
  if (Array.isArray(json)) return json
  if (!isObject(json)) return undefined
  if (Array.isArray(json.messages)) return systemOf(json).concat(json.messages)
  if (Array.isArray(json.choices)) {
    return json.choices.flatMap((choice) =>
      isObject(choice) && isObject(choice.message) ? choice.message : [],
    )
  }
  if (isObject(json.message)) return [json.message]
  return typeof json.role === 'string' ? [json] : undefined
}

/** Some APIs have a separate field for the system prompt. */
function systemOf({ system }: JsonObject): unknown[] {
  return typeof system === 'string' ? [{ role: 'system', content: system }] : []
}

/** The last message of a conversation. A text that is not a conversation is returned unchanged. */
export function lastSaid(text: string): string {
  const messages = messagesOf(parseJson(text))
  return messages?.findLast((message) => message.text !== '')?.text ?? text
}

/** The last user message, even if tool or model messages follow it. Without a user message: the last message. */
export function lastAsked(text: string): string {
  const messages = messagesOf(parseJson(text))?.filter((message) => message.text !== '')
  return (messages?.findLast(({ role }) => role === 'user') ?? messages?.at(-1))?.text ?? text
}
