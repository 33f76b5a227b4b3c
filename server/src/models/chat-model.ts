import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { limits } from '@cairn/contract'
import type { ChatModel, ChatPart, ChatRequest, ModelUsage, ObjectRequest } from './chat.ts'
import { ModelError } from './model-error.ts'
import type { Provider, ProviderName } from './provider.ts'
import { type Watch, withRetries } from './retry.ts'

interface ChatModelOptions {
  name: string
  /** The name that the provider uses. */
  id: string
  providerName: ProviderName
  provider: () => Promise<Provider>
  quietMs: number
}

/** A stream after its first text, or its end, was read. */
interface Begun {
  first: ChatPart
  rest: AsyncGenerator<ChatPart>
  watch: Watch
}

/** A model of a provider. */
export function createChatModel({ name, id, providerName, provider, quietMs }: ChatModelOptions): ChatModel {
  async function begin(request: ChatRequest, watch: Watch): Promise<Begun> {
    const model = (await provider()).chat(id)
    const { stream } = await model.doStream({ ...toOptions(request), abortSignal: watch.signal })
    const rest = read(stream, name, watch)
    const first = await rest.next()
    if (first.done || first.value.type === 'end') throw new ModelError(name, 'empty')
    return { first: first.value, rest, watch }
  }

  return {
    name,
    provider: providerName,
    async *stream(request, signal, onRetry) {
      const attempt = { model: name, quietMs, signal, onRetry }
      const { first, rest, watch } = await withRetries(attempt, (watch) => begin(request, watch))
      try {
        yield first
        yield* rest
      } catch (error) {
        throw watch.explain(error)
      } finally {
        watch.end()
        // Closes the connection if the answer was not read completely.
        await rest.return(undefined)
      }
    },
    object: (request, signal) =>
      withRetries({ model: name, quietMs, signal }, async (watch) => {
        const model = (await provider()).chat(id)
        const options = {
          ...toOptions(request),
          responseFormat: formatOf(request),
          abortSignal: watch.signal,
        }
        const { content, usage } = await model.doGenerate(options)
        watch.end()
        const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
        return { value: parse(text, name), usage: toUsage(usage) }
      }),
  }
}

/** The texts of a provider's stream, and its end. A stream that stops without an end has failed. */
async function* read(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  name: string,
  watch: Watch,
): AsyncGenerator<ChatPart> {
  let length = 0
  for await (const part of stream) {
    watch.heard()
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta' && part.delta !== '') {
      length += part.delta.length
      if (length > limits.textLength)
        throw new ModelError(name, 'broken', { detail: 'the answer is too long' })
      yield { type: 'text', text: part.delta }
    }
    if (part.type === 'finish') {
      if (part.finishReason.raw === undefined)
        throw new ModelError(name, 'broken', { detail: 'the stream was cut off' })
      yield { type: 'end', usage: toUsage(part.usage) }
    }
  }
}

function toOptions({ system, messages, temperature, maxTokens }: ChatRequest): LanguageModelV4CallOptions {
  return {
    prompt: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...messages.map(({ role, content }) => ({ role, content: [{ type: 'text' as const, text: content }] })),
    ],
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
  }
}

function formatOf({ schema, schemaName }: ObjectRequest) {
  return { type: 'json' as const, schema: schema as JSONSchema7, name: schemaName }
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ModelError(name, 'garbled')
  }
}

/** Many times more than any model can process in a call. */
const maxTokens = 1e9

function isTokenCount(tokens: number | undefined): tokens is number {
  return Number.isInteger(tokens) && Number(tokens) >= 0 && Number(tokens) <= maxTokens
}

/** Undefined if the provider reports no usage, or numbers that cannot be right: budgets and sums depend on them. */
function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelUsage | undefined {
  const { total: prompt, cacheRead = 0, cacheWrite = 0 } = inputTokens
  const { total: completion, reasoning = 0 } = outputTokens
  if (!isTokenCount(prompt) || !isTokenCount(completion)) return undefined
  if (![cacheRead, cacheWrite, reasoning].every(isTokenCount)) return undefined
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cacheRead && { cache_read_tokens: cacheRead }),
    ...(cacheWrite && { cache_write_tokens: cacheWrite }),
    ...(reasoning && { reasoning_tokens: reasoning }),
  }
}
