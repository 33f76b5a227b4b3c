import { conversationIn, type Message, textOfMessage } from './messages.ts'
import type { JsonObject } from './values.ts'

/*
 * Inputs and outputs of traces are text. Often the text is a conversation in JSON, in the format of a model API.
 */

export { conversationIn, type Message, textOfMessage, toMessages } from './messages.ts'
export type { Part, ToolCall } from './parts.ts'
export { asText, isObject, type JsonObject, textOf } from './values.ts'

/** A text with more values is not parsed, because that would take seconds and hundreds of megabytes. */
const maxValues = 50_000

const [quote, backslash, comma, openList, openObject] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

function isEscaped(text: string, at: number): boolean {
  let from = at
  while (text.charCodeAt(from - 1) === backslash) from--
  return (at - from) % 2 === 1
}

/** The end of the JSON string that begins at a quotation mark. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function hasTooManyValues(text: string): boolean {
  if (text.length <= maxValues) return false
  let values = 0
  for (let at = 0; at < text.length && values <= maxValues; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === comma || code === openList || code === openObject) values++
  }
  return values > maxValues
}

/**
 * Parses a text that is a JSON object or list. Returns undefined for plain text, for single JSON values, and for texts with
 * too many values.
 */
export function parseJson(text: string): JsonObject | unknown[] | undefined {
  if (!/^\s*[[{]/.test(text) || hasTooManyValues(text)) return undefined
  try {
    return JSON.parse(text) as JsonObject | unknown[]
  } catch {
    return undefined
  }
}

/** The messages in a parsed value; undefined if it is no conversation, or nested too deep to be one. */
export function messagesIn(value: unknown): Message[] | undefined {
  try {
    return conversationIn(value)?.messages
  } catch (error) {
    // Thousands of nested lists in the arguments of a call overflow the stack.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function spokenIn(text: string): Message[] {
  return (messagesIn(parseJson(text)) ?? []).filter((message) => textOfMessage(message) !== '')
}

/** The last message of a conversation. A text that is not a conversation is returned unchanged. */
export function lastSaid(text: string): string {
  const last = spokenIn(text).at(-1)
  return last ? textOfMessage(last) : text
}

/** The last user message, even if tool or model messages follow it. Without a user message: the last message. */
export function lastAsked(text: string): string {
  const messages = spokenIn(text)
  const asked = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1)
  return asked ? textOfMessage(asked) : text
}
