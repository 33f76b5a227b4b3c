import type { TokenUsage } from '@cairn/contract'
import { objectOf } from '../object-of.ts'
import type { ActiveSpan, Tracer } from './tracer.ts'

/** Methods that call a model, and how their requests and responses are read. */
const readers: Record<string, Reader> = {
  'chat.completions.create': { kind: 'llm', input: ({ messages }) => messages, collect: collectChat },
  'chat.completions.parse': { kind: 'llm', input: ({ messages }) => messages, collect: collectChat },
  'responses.create': { kind: 'llm', input: responsesInput, collect: collectResponse },
  'responses.parse': { kind: 'llm', input: responsesInput, collect: collectResponse },
  'embeddings.create': { kind: 'embedding', input: ({ input }) => input, collect: collectEmbedding },
}

type Json = Record<string, unknown>

interface Reader {
  kind: 'llm' | 'embedding'
  input(request: Json): unknown
  /** Collects a response, or the chunks of a stream. */
  collect(): Collector
}

interface Collector {
  add(part: Json): void
  output(): unknown
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

/** Adds the parts of a streamed message to the message so far. */
function mergeDelta(message: Json, delta: Json): void {
  for (const [name, value] of Object.entries(delta)) {
    if (name === 'tool_calls') {
      for (const call of listOf(value)) {
        message.tool_calls ??= []
        const calls = message.tool_calls as Json[]
        const at = typeof call.index === 'number' && call.index < 1000 ? call.index : calls.length
        const merged = calls[at] ?? {}
        calls[at] = merged
        const { index: _, ...rest } = call
        mergeDelta(merged, rest)
      }
    } else if (typeof value === 'string' && !['role', 'type', 'id'].includes(name)) {
      message[name] = (typeof message[name] === 'string' ? message[name] : '') + value
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      message[name] ??= {}
      mergeDelta(objectOf(message[name]), value as Json)
    } else if (value != null) {
      message[name] = value
    }
  }
}

function collectChat(): Collector {
  const messages: Json[] = []
  return {
    add({ choices }) {
      for (const { index = 0, message, delta } of listOf(choices)) {
        const at = Number(index)
        if (message) messages[at] = objectOf(message)
        else if (at < 1000) {
          messages[at] ??= {}
          mergeDelta(messages[at], objectOf(delta))
        }
      }
    },
    output() {
      const [first] = messages
      const onlyText = messages.length === 1 && first?.tool_calls === undefined
      return onlyText ? (first?.content ?? first) : messages
    },
  }
}

function collectResponse(): Collector {
  let response: Json = {}
  return {
    // The last event of a stream has the whole response.
    add(part) {
      response = part.response ? objectOf(part.response) : part.output ? part : response
    },
    output() {
      const texts = listOf(response.output).flatMap(({ content }) => listOf(content).map(({ text }) => text))
      const isText = texts.length > 0 && texts.every((text) => typeof text === 'string')
      return isText && listOf(response.output).length === 1 ? texts.join('') : response.output
    },
  }
}

function collectEmbedding(): Collector {
  let count = 0
  return {
    add({ data }) {
      count = listOf(data).length
    },
    output: () => `${count} vectors`,
  }
}

function responsesInput({ instructions, input }: Json): unknown {
  return instructions == null ? input : { instructions, input }
}

/** The tokens of a response, under the names of Cairn. Chat completions and responses name them differently. */
function usageOf(part: Json): TokenUsage | undefined {
  const usage = objectOf(part.usage ?? objectOf(part.response).usage)
  const prompt = usage.prompt_tokens ?? usage.input_tokens
  if (typeof prompt !== 'number') return undefined
  const promptDetails = objectOf(usage.prompt_tokens_details ?? usage.input_tokens_details)
  const outputDetails = objectOf(usage.completion_tokens_details ?? usage.output_tokens_details)
  const named = {
    prompt_tokens: prompt,
    completion_tokens: usage.completion_tokens ?? usage.output_tokens,
    total_tokens: usage.total_tokens,
    cache_read_tokens: promptDetails.cached_tokens,
    input_audio_tokens: promptDetails.audio_tokens,
    output_audio_tokens: outputDetails.audio_tokens,
    reasoning_tokens: outputDetails.reasoning_tokens,
  }
  const counts = Object.entries(named).filter(([, count]) => typeof count === 'number' && count >= 0)
  return Object.fromEntries(counts) as TokenUsage
}

function parametersOf(request: Json): Json {
  const { messages: _, input: __, instructions: ___, model: ____, ...parameters } = request
  return parameters
}

/** Observes one call: its response, or each chunk of its stream. */
class Call {
  readonly #span: ActiveSpan
  readonly #collector: Collector
  readonly #started = performance.now()

  constructor(span: ActiveSpan, reader: Reader, request: Json) {
    this.#span = span
    this.#collector = reader.collect()
    const model = typeof request.model === 'string' ? { model: request.model } : {}
    span.set({ kind: reader.kind, input: reader.input(request), ...model, attributes: parametersOf(request) })
  }

  #read(value: unknown): void {
    const part = objectOf(value)
    this.#collector.add(part)
    const usage = usageOf(part)
    const model = part.model ?? objectOf(part.response).model
    this.#span.set({
      ...(usage && { token_usage: usage }),
      ...(typeof model === 'string' && { model }),
    })
  }

  end(response: unknown): void {
    this.#read(response)
    this.#span.set({ output: this.#collector.output() }).end()
  }

  fail(error: unknown): void {
    this.#span.fail(error)
    this.#span.end()
  }

  /** The same chunks; the span ends with the last one, or when the reader leaves. */
  async *observe(chunks: AsyncIterator<unknown>): AsyncGenerator<unknown> {
    let first = true
    try {
      for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) {
        if (first)
          this.#span.event('first_chunk', { time_to_first_chunk_ms: performance.now() - this.#started })
        first = false
        this.#read(chunk)
        yield chunk
      }
    } catch (error) {
      this.#span.fail(error)
      throw error
    } finally {
      this.#span.set({ output: this.#collector.output() }).end()
    }
  }
}

interface Stream {
  [Symbol.asyncIterator](): AsyncIterator<unknown>
  iterator?: () => AsyncIterator<unknown>
}

function isStream(value: unknown): value is Stream {
  return typeof (value as Partial<Stream> | null)?.[Symbol.asyncIterator] === 'function'
}

/** Ends the span with the response. A stream is changed in place, because its class has private fields. */
function observed(call: Call, response: unknown): unknown {
  if (!isStream(response)) {
    call.end(response)
    return response
  }
  // The other methods of the class of OpenAI are based on `iterator`.
  const method = typeof response.iterator === 'function' ? 'iterator' : Symbol.asyncIterator
  const chunks = (response[method] as () => AsyncIterator<unknown>).bind(response)
  response[method] = () => call.observe(chunks())
  return response
}

interface ApiPromise extends Promise<unknown> {
  withResponse?: () => Promise<{ data: unknown }>
}

/** The same promise, with its own methods, whose result is observed. */
function observedPromise(promise: ApiPromise, call: Call): ApiPromise {
  const result = promise.then(
    (response) => observed(call, response),
    (error: unknown) => {
      call.fail(error)
      throw error
    },
  )
  result.catch(() => undefined)
  return new Proxy(promise, {
    get(target, name) {
      if (name === 'then' || name === 'catch' || name === 'finally') return result[name].bind(result)
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'withResponse') return value.bind(target)
      return async () => ({ ...(await value.call(target)), data: await result })
    },
  })
}

/** Proxies the client down to the methods that call a model. */
export function wrapOpenAI<Client extends object>(tracer: Tracer, client: Client, place = ''): Client {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof name !== 'string') return value
      const at = place === '' ? name : `${place}.${name}`
      const reader = Object.hasOwn(readers, at) ? readers[at] : undefined
      if (typeof value === 'function') {
        if (!reader) return value.bind(target)
        return (request: Json, ...rest: unknown[]) => {
          const call = new Call(tracer.open(at), reader, objectOf(request))
          try {
            return observedPromise(value.call(target, request, ...rest), call)
          } catch (error) {
            call.fail(error)
            throw error
          }
        }
      }
      const leads = Object.keys(readers).some((each) => each.startsWith(`${at}.`))
      return leads && typeof value === 'object' && value !== null ? wrapOpenAI(tracer, value, at) : value
    },
  })
}
