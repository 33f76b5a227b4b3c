import { asText, isObject, type JsonObject, textOf } from './values.ts'

/** A part of a message's content. Parts of an unknown form are kept as they are. */
export type Part = { type?: unknown; [field: string]: unknown }

export interface ToolCall {
  id?: string
  type: 'function'
  function: { name: string; arguments: string }
}

interface ToolResult {
  id: string | undefined
  name: string | undefined
  text: string
}

/** The content of a message without its tool calls and results. Null if there is nothing else. */
interface Content {
  content: string | Part[] | null
  calls: ToolCall[]
  results: ToolResult[]
  /** Whether calls and results had no other fields. */
  isWhole: boolean
}

/** Fields of tool calls and results that a message keeps. */
const keptFields: ReadonlySet<string> = new Set([
  ...[
    'type',
    'id',
    'name',
    'arguments',
    'args',
    'function',
    'input',
    'toolCallId',
    'toolName',
    'toolRequest',
  ],
  ...[
    'functionCall',
    'toolResponse',
    'functionResponse',
    'response',
    'result',
    'output',
    'tool_use_id',
    'content',
  ],
])

function toCall(id: unknown, name: unknown, given: unknown): ToolCall | undefined {
  if (typeof name !== 'string') return undefined
  const text = given === undefined ? '' : asText(given)
  const known = textOf(id)
  return {
    ...(known !== undefined && { id: known }),
    type: 'function',
    function: { name, arguments: text },
  }
}

/** A tool call of OpenAI, OpenTelemetry, Anthropic, Gemini, Genkit, LangChain or the AI SDK. */
function callIn(part: JsonObject): ToolCall | undefined {
  const { type, id, name, function: called, toolRequest, functionCall } = part
  if (isObject(called)) return toCall(id, called.name, called.arguments)
  if (isObject(toolRequest)) return toCall(toolRequest.ref, toolRequest.name, toolRequest.input)
  if (isObject(functionCall)) return toCall(functionCall.id, functionCall.name, functionCall.args)
  if (typeof part.toolName === 'string')
    return toCall(part.toolCallId, part.toolName, part.input ?? part.args)
  if (type === 'tool_use') return toCall(id, name, part.input)
  const given = part.arguments ?? part.args
  return type === 'tool_call' || (type === undefined && given !== undefined)
    ? toCall(id, name, given)
    : undefined
}

function toResult(id: unknown, name: unknown, value: unknown): ToolResult {
  return { id: textOf(id), name: textOf(name), text: value === undefined ? '' : asText(value) }
}

function resultIn(part: JsonObject): ToolResult | undefined {
  const { type, toolResponse, functionResponse } = part
  if (isObject(toolResponse)) return toResult(toolResponse.ref, toolResponse.name, toolResponse.output)
  if (isObject(functionResponse)) {
    return toResult(functionResponse.id, functionResponse.name, functionResponse.response)
  }
  if (type === 'tool_call_response') return toResult(part.id, part.name, part.response ?? part.result)
  if (type === 'tool_result') return toResult(part.tool_use_id, undefined, part.content)
  if (type !== 'tool-result') return undefined
  const output = part.output ?? part.result
  const value = isObject(output) && 'value' in output ? output.value : output
  return toResult(part.toolCallId, part.toolName, value)
}

const image = (url: string): Part => ({ type: 'image_url', image_url: { url } })

function dataUrl(mediaType: string, data: string): string {
  return /^(?:data|https?):/.test(data) ? data : `data:${mediaType};base64,${data}`
}

function imageIn(part: JsonObject): Part | undefined {
  const { type, modality, media } = part
  const mediaType = textOf(part.mime_type) ?? textOf(part.mediaType) ?? textOf(part.mimeType)
  const isImage = modality === 'image' || type === 'image' || mediaType?.startsWith('image/')
  if (isObject(media)) {
    const url = textOf(media.url)
    return url !== undefined && /^(?:data:)?image\//.test(textOf(media.contentType) ?? url)
      ? image(url)
      : undefined
  }
  if (!isImage) return undefined
  if (type === 'uri') return typeof part.uri === 'string' ? image(part.uri) : undefined
  const data = [part.content, part.data, part.image].map(textOf).find((text) => text !== undefined)
  return data === undefined ? undefined : image(dataUrl(mediaType ?? 'image/png', data))
}

function textIn(part: JsonObject): Part | undefined {
  const { type, text, content, ...others } = part
  const said = typeof text === 'string' ? text : content
  if (typeof said !== 'string') return undefined
  if (type === undefined || type === 'text' || type === 'input_text' || type === 'output_text') {
    // OpenAI sends an empty list with every text.
    const { annotations, ...kept } = others
    const marked = Array.isArray(annotations) && annotations.length === 0 ? kept : others
    return { type: 'text', text: said, ...marked }
  }
  // Stored as `content`: a field `text` would make the reasoning a part of the answer.
  return type === 'reasoning' ? { type, content: said, ...others } : undefined
}

/** Splits the content of a message of any API. */
export function contentOf(given: unknown): Content {
  if (given === null || given === undefined) return { content: null, calls: [], results: [], isWhole: true }
  const list = Array.isArray(given) ? given : [given]
  const [parts, calls, results]: [Part[], ToolCall[], ToolResult[]] = [[], [], []]
  let isWhole = true
  for (const one of list) {
    if (!isObject(one)) {
      parts.push({ type: 'text', text: asText(one) })
      continue
    }
    const result = resultIn(one)
    const call = result ? undefined : callIn(one)
    if (result) results.push(result)
    else if (call) calls.push(call)
    else parts.push(textIn(one) ?? imageIn(one) ?? one)
    if (result || call) isWhole &&= Object.keys(one).every((field) => keptFields.has(field))
  }
  return { content: joined(parts, list.length > 0), calls, results, isWhole }
}

/** A single text is a text, and not a list with one part. */
function joined(parts: Part[], isFilled: boolean): Content['content'] {
  const [first] = parts
  if (first === undefined) return isFilled ? null : ''
  const isPlain = parts.length === 1 && first.type === 'text' && Object.keys(first).length === 2
  return isPlain ? asText(first.text) : parts
}
