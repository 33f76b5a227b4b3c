/*
 * Inputs and outputs of traces are texts. Many are conversations as JSON, as they were sent to a model: how those are read.
 */

/** One message of a conversation that a trace carries as JSON. */
export interface Message {
  role: string
  /** What it says, parts one after the other. */
  text: string
  /** Calls of tools that it asks for, and whatever else is no text. */
  others: unknown[]
}

type JsonObject = Record<string, unknown>

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The JSON that a text is; undefined for plain text, and for numbers and the like that are better read as text. */
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

/** The messages in what a model was sent or has answered, as the usual APIs write them; undefined where there are none. */
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

/** Some APIs name what the system says beside the messages. */
function systemOf({ system }: JsonObject): unknown[] {
  return typeof system === 'string' ? [{ role: 'system', content: system }] : []
}

/** What was said last, as conversations are sent whole with each turn; a text that is no conversation is itself. */
export function lastSaid(text: string): string {
  const messages = messagesOf(parseJson(text))
  return messages?.findLast((message) => message.text !== '')?.text ?? text
}

/** What the user said last, which tools and the model may have followed; what was said last where no user speaks. */
export function lastAsked(text: string): string {
  const messages = messagesOf(parseJson(text))?.filter((message) => message.text !== '')
  return (messages?.findLast(({ role }) => role === 'user') ?? messages?.at(-1))?.text ?? text
}
