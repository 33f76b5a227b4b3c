import { isObject, type JsonObject, messagesIn } from '@cairn/contract/conversations'
import { parseExactJson } from '../../../ui/text/exact-json.ts'
import { type ChatTurn, chatOf } from './chat.ts'
import { type Passage, passagesOf } from './passages.ts'
import { type ToolDefinition, toolDefinitionsOf } from './tool-definitions.ts'

/** An input or output in the forms in which it can be shown. */
export interface Content {
  /** The text as it was sent; other values as JSON. */
  text: string
  json: unknown
  chat: ChatTurn[] | undefined
  passages: Passage[] | undefined
  tools: ToolDefinition[]
}

/** Inputs and outputs of these spans are no conversations, whatever they look like. */
const withoutChat: ReadonlySet<string> = new Set(['tool', 'retrieval', 'embedding'])

/** Recognizes the input or output of a trace or span; `kind` and `attributes` are of the span. */
export function contentOf(value: unknown, kind = '', attributes?: JsonObject): Content {
  const json = typeof value === 'string' ? parseExactJson(value) : value
  const messages = withoutChat.has(kind) ? undefined : messagesIn(json)
  return {
    text: typeof value === 'string' ? value : jsonText(value),
    json: typeof json === 'object' && json !== null ? json : undefined,
    chat: messages && chatOf(messages),
    passages: kind === 'retrieval' ? passagesOf(json) : undefined,
    tools: toolDefinitionsOf(isObject(json) ? json : undefined, attributes),
  }
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? ''
  } catch {
    return 'The value is nested too deep to be shown as text.'
  }
}
