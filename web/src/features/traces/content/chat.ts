import { isObject, type JsonObject, type Message, textOf } from '@cairn/contract/conversations'
import { parseExactJson } from '../../../ui/text/exact-json.ts'
import { type ChatPart, partsOf } from './parts.ts'

/** A call of a tool in a conversation, with its result if the conversation contains it. */
export interface ChatCall {
  id: string | undefined
  name: string
  /** Parsed, if they are JSON. */
  args: unknown
  result: ChatResult | undefined
}

interface ChatResult {
  parts: ChatPart[]
  /** Whether the message says that the call failed. */
  isFailed: boolean
}

/** A message as it is shown. */
export interface ChatTurn {
  role: string
  name: string | undefined
  parts: ChatPart[]
  calls: ChatCall[]
  /** Fields that are not shown otherwise, such as `finish_reason`. */
  others: JsonObject
}

/** The messages of a conversation. The results of tools move to their calls; results without a call stay messages. */
export function chatOf(messages: readonly Message[]): ChatTurn[] {
  const turns: ChatTurn[] = []
  const waiting = new WaitingCalls()
  for (const message of messages) {
    const call = isResult(message) ? waiting.take(message) : undefined
    if (call) {
      call.result = { parts: resultParts(message.content), isFailed: isFailure(message) }
      continue
    }
    const turn = toTurn(message)
    turns.push(turn)
    for (const one of turn.calls) waiting.add(one)
  }
  return turns
}

/** The calls that have no result yet. */
class WaitingCalls {
  readonly #byId = new Map<string, ChatCall[]>()
  readonly #byName = new Map<string, ChatCall[]>()

  add(call: ChatCall): void {
    const [map, key] = call.id === undefined ? [this.#byName, call.name] : [this.#byId, call.id]
    const list = map.get(key)
    if (list) list.push(call)
    else map.set(key, [call])
  }

  /** The newest call with the id of a result, or without ids the first call of the same tool, or of any tool. */
  take({ tool_call_id: id, name }: Message): ChatCall | undefined {
    if (id !== undefined) return this.#byId.get(id)?.pop()
    const known = textOf(name)
    if (known !== undefined) return this.#byName.get(known)?.shift()
    for (const calls of this.#byName.values()) if (calls.length > 0) return calls.shift()
    return undefined
  }
}

function isResult({ role, tool_call_id }: Message): boolean {
  return role === 'tool' || role === 'function' || tool_call_id !== undefined
}

function isFailure({ is_error, status }: Message): boolean {
  return is_error === true || status === 'error'
}

function toTurn({
  role,
  content,
  tool_calls,
  tool_call_id,
  name,
  function_call,
  reasoning_content,
  ...others
}: Message): ChatTurn {
  const legacy = isObject(function_call) ? [{ function: function_call }] : []
  const thought = textOf(reasoning_content)
  return {
    role,
    name: textOf(name),
    parts: [
      ...(thought === undefined ? [] : [{ kind: 'reasoning' as const, text: thought }]),
      ...(isResult({ role, content, tool_call_id } as Message) ? resultParts(content) : partsOf(content)),
    ],
    calls: [...(tool_calls ?? []), ...legacy].map(toCall),
    others: Object.fromEntries(Object.entries(others).filter(([, value]) => value != null && value !== '')),
  }
}

function toCall(call: {
  id?: unknown
  function: JsonObject | { name: string; arguments: string }
}): ChatCall {
  const { name, arguments: given } = call.function
  return { id: textOf(call.id), name: textOf(name) ?? 'Tool', args: parsed(given), result: undefined }
}

/** The value of a JSON text; other values are returned unchanged. */
export function parsed(value: unknown): unknown {
  return typeof value === 'string' ? (parseExactJson(value) ?? value) : value
}

/** A result is text, JSON, or a list of parts. */
function resultParts(content: unknown): ChatPart[] {
  const value = parsed(content)
  if (Array.isArray(value) && value.every((part) => isObject(part) && typeof part.type === 'string')) {
    return partsOf(value)
  }
  if (value === null || value === undefined || value === '') return []
  return typeof value === 'string' ? [{ kind: 'text', text: value }] : [{ kind: 'other', value }]
}

/** A call in the list `tool_calls` of a trace, which may contain its result. */
export function recordedCall(call: JsonObject): ChatCall {
  const { name, function: called, arguments: given, args, input, result, output, error } = call
  const inner = isObject(called) ? called : { name: called }
  const said = result ?? output ?? error
  return {
    id: textOf(call.id),
    name: textOf(name) ?? textOf(inner.name) ?? 'Tool',
    args: parsed(given ?? inner.arguments ?? args ?? input),
    result:
      said === undefined
        ? undefined
        : { parts: resultParts(said), isFailed: said === error && error != null },
  }
}
